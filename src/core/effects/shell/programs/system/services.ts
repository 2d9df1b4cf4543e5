import type { Resource, Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, isHelpOnly, joined, rows } from '../helpers.js';
import { parseOptions } from '../options.js';

const process = (name: string): Resource => ({ type: 'process', process: name });

/** Source: systemctl(1) 256. */
function systemctl(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '--user --system --global --now --no-block --no-pager --no-legend --no-ask-password -a|--all -q|--quiet -f|--force -l|--full --failed --runtime -r --wait --dry-run --value -i',
      values:
        '-t|--type -p|--property -s|--signal -n|--lines -o|--output -H|--host -M|--machine --state --root --kill-whom',
    },
    words,
  );
  const [verb, ...units] = parsed.operands;
  service(run, verb?.text ?? 'list-units', units);
}

/** What a verb does to services, whatever manages them. */
function service(run: Run, verb: string, units: readonly Word[]): void {
  const name = joined(units).text || 'services';
  if (
    /^(status|show|cat|list-\S*|is-\S+|get-default|help|show-environment|version|print|blame|list|dumpstate|print-\S+|procinfo|hostinfo|resolveport|managername|print-cache|print-disabled|plist|query\w*|qc|qdescription|--status-all|info|log|check|diff)$/i.test(
      verb,
    )
  )
    return;
  if (
    /^(stop|kill|restart|try-restart|reload-or-restart|isolate|halt|poweroff|reboot|suspend|hibernate|kexec|soft-reboot|rescue|emergency|exit|freeze|bootout|unload|remove|kickstart|delete|force-stop|zap|down|disable|mask)$/i.test(
      verb,
    )
  ) {
    run.emit('kill', process(name), {
      traits: /^(halt|poweroff|reboot|kexec|rescue|emergency|suspend|hibernate|isolate)$/.test(verb) ? ['mass'] : [],
      reversible: 'yes',
      note: `${verb} of a service`,
    });
    if (/^(disable|mask|remove|delete|bootout|unload)$/i.test(verb))
      run.emit('persist', process(name), { traits: ['removes-check'], reversible: 'checkpoint' });
  } else if (
    /^(enable|reenable|preset|unmask|link|edit|set-default|set-property|revert|add-wants|add-requires|daemon-reload|daemon-reexec|set-environment|setenv|load|bootstrap|create|config|submit|failure|default|add|set|add-on|install)$/i.test(
      verb,
    )
  ) {
    run.emit('persist', process(name), {
      reversible: 'checkpoint',
      note: `${verb} of a service: it runs later by itself`,
    });
  } else if (/^(start|reload|reset-failed|thaw|continue|up|force-reload|condrestart)$/i.test(verb)) {
    run.emit('execute', process(name), { traits: ['daemon', 'unreviewed'] });
    run.emit('privilege', process(name), { note: 'starts a service' });
  } else run.unknown(`${verb} of services`);
}

/** `service nginx stop`, `rc-service nginx stop`, `sv down x`, `net stop x`. */
const STARTS = /^(?:add|del|delete|defaults|remove|enable|disable|on|off|reset|resetpriorities|--add|--del)$/;

const verbBehind = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [name, verb] = words.filter(({ text }) => !text.startsWith('-') || text === '--status-all');
  if (!name) return;
  // `rc-update add sshd`, `update-rc.d ssh defaults`, `chkconfig ssh on`: what runs after a start of the machine.
  const starts = [name, verb].find((word) => word !== undefined && STARTS.test(word.text));
  if (/^(?:rc-update|update-rc\.d|chkconfig)$/.test(run.invocation.program) && starts) {
    run.emit('persist', process(name.text), { reversible: 'checkpoint', note: 'what runs after a start' });
  } else if (verb) service(run, verb.text, [name]);
  else service(run, 'list', [name]);
};

const verbFirst = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb, ...names] = words.filter(({ text }) => !text.startsWith('-'));
  if (verb) service(run, verb.text, names);
};

/** `crontab -` and `crontab FILE` replace all that runs at set times; -r takes it away. */
function crontab(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions({ flags: '-l -r -e -i -h -V -T', values: '-u -n -c -s' }, words);
  if (parsed.has('-l', '-h', '-V')) return;
  if (parsed.has('-r'))
    run.emit('delete', process('crontab'), { traits: ['mass'], reversible: 'no', note: 'all that runs at set times' });
  else if (parsed.operands.length > 0 || parsed.has('-e') || run.invocation.input.type !== 'none') {
    for (const file of parsed.operands) if (file.text !== '-') run.read(file);
    run.emit('persist', process('crontab'), { traits: ['overwrite'], reversible: 'no', note: 'runs at set times' });
  }
}

/** `at`, `batch`: once, later. */
function at(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions({ flags: '-l -d -r -m -v -V -b -c -M', values: '-f -q -t' }, words);
  if (parsed.has('-l', '-V', '-c') || run.invocation.program === 'atq') return;
  if (parsed.has('-d', '-r') || run.invocation.program === 'atrm')
    run.emit('delete', process('at'), { reversible: 'no' });
  else {
    const file = parsed.value('-f');
    if (file) run.script('sh', file);
    else run.standardInput('sh', []);
    run.emit('persist', process('at'), { reversible: 'no', note: 'runs later' });
  }
}

/** `shutdown`, `reboot` and kin: the machine goes down. `init 0` and `init 6` do so too. */
function goesDown(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (asksOnly(words)) return;
  const { program } = run.invocation;
  if ((program === 'init' || program === 'telinit') && !/^[0156sS]$/.test(words[0]?.text ?? '')) return;
  if (words.some(({ text }) => /^(-c|-a|\/a|--show|--check)$/.test(text))) return;
  run.emit('kill', process('the machine'), {
    traits: ['mass'],
    reversible: 'no',
    note: `${program}: everything that runs ends`,
  });
}

const asksOnly = (words: readonly Word[]): boolean =>
  words.some(({ text }) => /^(--help|--version|\/\?|-\?)$/.test(text));

/** `journalctl`: reads; --vacuum and --rotate throw old entries away. */
function journalctl(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (words.some(({ text }) => /^--(vacuum-|rotate|flush|relinquish-var)/.test(text)))
    run.emit('delete', process('journal'), { traits: ['mass'], reversible: 'no', note: 'records of the system' });
}

/** Settings of the kernel and its modules. */
function kernel(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { program } = run.invocation;
  const changes =
    program === 'sysctl'
      ? words.some(({ text }) => /=|^(-w|--write|-p|--load|--system|-f)/.test(text))
      : program === 'dmesg'
        ? words.some(({ text }) => /^(-C|-c|--clear|--read-clear|-D|-E|-n)$/.test(text))
        : !/^(lsmod|modinfo)$/.test(program) &&
          !words.some(({ text }) => /^(-n|--dry-run|-D|--show-depends|-c|--showconfig|list|status)$/.test(text));
  if (changes)
    run.emit('privilege', process(`${program} ${joined(words).text}`.trim()), {
      traits: ['grants-access'],
      reversible: 'no',
      note: 'changes the kernel',
    });
}

/** Terminals within a terminal: what is typed into them runs. */
function multiplexer(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { program } = run.invocation;
  if (program === 'screen') {
    const parsed = parseOptions(
      {
        flags: '-d -D -r -R -m -ls -list -x -A -a -q -U -v -wipe -L -dm -dmS0',
        values: '-S -p -c -e -h -s -t -T -Logfile',
        stopsAtOperand: true,
      },
      words,
    );
    const stuffed = parsed.has('-X0') || words.some(({ text }) => text === '-X') ? words.at(-1) : undefined;
    if (stuffed && words.some(({ text }) => text === 'stuff'))
      run.code('sh', { ...stuffed, text: stuffed.text.replace(/\\n|\^M|\n$/g, '') });
    else if (words.some(({ text }) => text === '-X')) run.unknown('a command of screen');
    else {
      const at = words.findIndex(({ text }) => /^-\w*S$/.test(text));
      const inner = words
        .slice(at < 0 ? 0 : at + 2)
        .filter(
          ({ text }, index, all) =>
            !(text.startsWith('-') && all.slice(0, index).every((one) => one.text.startsWith('-'))),
        );
      if (inner.length > 0 && !words.some(({ text }) => /^-(ls|list|r|x|wipe)$/.test(text))) run.carry(inner);
    }
    return;
  }
  const globals = parseOptions(
    { flags: '-2 -C -D -l -N -u -v -V', values: '-c -f -L -S -T', stopsAtOperand: true },
    words,
  );
  for (const command of globals.values('-c')) run.code('sh', command);
  const [verb, ...rest] = globals.operands;
  const parsed = parseOptions(
    {
      flags: '-d -P -A -D -E -X -k -a -b -h -v -l -R -K -H -Z -f0 -r -g',
      values: '-s -t -n -c -x -y -e -F -N -p',
      stopsAtOperand: true,
    },
    rest,
  );
  const name = verb?.text ?? '';
  if (
    /^(new-session|new|new-window|neww|split-window|splitw|respawn-pane|respawnp|respawn-window|respawnw|display-popup|popup)$/.test(
      name,
    )
  ) {
    if (parsed.operands.length === 1 && parsed.operands[0]) run.code('sh', parsed.operands[0]);
    else if (parsed.operands.length > 1) run.carry(parsed.operands);
  } else if (/^(send-keys|send)$/.test(name)) {
    const keys = parsed.operands.map(({ text }) => (/^(Enter|C-m|KPEnter|C-j)$/.test(text) ? '\n' : text)).join('');
    run.code('sh', { ...joined(parsed.operands), text: keys });
  } else if (/^(run-shell|run|if-shell|if|pipe-pane|pipep)$/.test(name)) {
    for (const command of parsed.operands.slice(0, 1)) run.code('sh', command);
    if (name.startsWith('if')) run.unknown('commands of tmux behind a condition');
  } else if (/^kill-/.test(name))
    run.emit('kill', process(`tmux ${joined(rest).text}`), { traits: name === 'kill-server' ? ['mass'] : [] });
  else if (/^(source-file|source|bind-key|bind|set-hook|confirm-before|command-prompt)$/.test(name))
    run.unknown(`${name} of tmux`);
}

/** A transient unit: the command runs now, under the service manager and out of the terminal's reach. */
function systemdRun(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '--user --system --scope -d -G -P -q -S|--shell -t|--pty --pipe --wait --collect --no-block --no-ask-password -r --same-dir',
      values:
        '-p|--property -u|--unit --description --slice --uid --gid --nice --working-directory -E|--setenv --on-active --on-boot --on-startup --on-calendar --timer-property --path-property --service-type -H -M',
      stopsAtOperand: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--on-active', '--on-boot', '--on-startup', '--on-calendar'))
    run.emit('persist', process('systemd timer'), { note: 'runs at set times' });
  run.carry(parsed.operands, parsed.has('--user') ? {} : { isPrivileged: true });
}

/** Words that change something even where another word only looks: `ip link set eth0 down`. */
const CHANGES = /^(add|del|delete|set|flush|change|replace|down|append|modify|up|disable|enable|connect|disconnect)$/;

const privileged =
  (traits: readonly Trait[], looks: RegExp, note: string) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words) || (words.length === 0 && run.invocation.input.type === 'none')) return;
    if (words.some(({ text }) => looks.test(text)) && !words.some(({ text }) => CHANGES.test(text))) return;
    run.emit('privilege', process(`${run.invocation.program} ${joined(words).text}`.slice(0, 200)), {
      traits,
      reversible: 'no',
      note,
    });
  };

/** `codesign`: shows and verifies; `--remove-signature` takes the signature away, `-s` puts one on. Source: codesign(1) of macOS. */
function codesign(run: Run): void {
  const words = argumentsOf(run.invocation);
  const takes = words.some(({ text }) => text === '--remove-signature');
  const signs = words.some(({ text }) => /^(?:-[a-z]*s|--sign)$/.test(text));
  const paths = words.filter(
    ({ text }, at) =>
      !text.startsWith('-') &&
      !/^(?:-\w*s|--sign|--entitlements|-i|-o|--options|--keychain|--prefix)$/.test(words[at - 1]?.text ?? ''),
  );
  for (const path of paths) {
    if (takes) run.write(path, { traits: ['edit', 'removes-check'], note: 'takes the signature away' });
    else if (signs) run.write(path, { traits: ['edit'] });
    else run.list(path);
  }
}

export const servicePrograms: readonly ProgramEntry[] = [
  ...rows('systemctl', systemctl),
  ...rows('service rc-service sv invoke-rc.d update-rc.d rc-update chkconfig', verbBehind),
  ...rows('launchctl supervisorctl monit pm2 forever initctl s6-svc', verbFirst),
  ...rows('crontab', crontab),
  ...rows('at batch atq atrm', at),
  ...rows('schtasks', (run) => {
    const text = joined(argumentsOf(run.invocation)).text.toLowerCase();
    if (/\/(create|change|run)/.test(text))
      run.emit('persist', process('scheduled task'), { reversible: 'no', note: 'runs at set times' });
    else if (/\/(delete|end)/.test(text)) run.emit('delete', process('scheduled task'), { reversible: 'no' });
  }),
  ...rows('shutdown reboot halt poweroff init telinit pm-suspend pm-hibernate', goesDown),
  ...rows('journalctl', journalctl),
  ...rows('sysctl modprobe insmod rmmod lsmod modinfo dmesg kexec bpftool depmod', kernel),
  ...rows('tmux screen', multiplexer),
  ...rows('systemd-run', systemdRun),
  ...rows('nginx apachectl apache2ctl httpd haproxy caddy traefik varnishadm', (run) => {
    const words = argumentsOf(run.invocation);
    if (
      isHelpOnly(words) ||
      words.some(({ text }) =>
        /^(-t|-T|configtest|validate|fmt|adapt|version|-V|list-modules|status|-S|-M)$/.test(text),
      )
    )
      return;
    const stops = words.some(({ text }) => /^(stop|quit|graceful-stop|-sf|-st|restart|kill)$/.test(text));
    if (stops) run.emit('kill', process(run.invocation.program), { reversible: 'yes' });
    else run.emit('execute', process(run.invocation.program), { traits: ['daemon', 'publish'] });
  }),
  ...rows(
    'useradd adduser usermod userdel deluser groupadd groupmod groupdel addgroup delgroup gpasswd passwd chpasswd chage chsh chfn newusers pw dscl sysadminctl pwconv newgrp sg faillock pam-auth-update authconfig loginctl',
    privileged(
      ['grants-access'],
      /^(-S|--status|-l|--list|-list|-read|list-\S+|show-\S+|--check|user-status|session-status)$/,
      'changes who may do what',
    ),
  ),
  ...rows('visudo vipw vigr', (run) => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words) || words.some(({ text }) => /^(?:-\w*c\w*|--check|-V|--version)$/.test(text))) return;
    const what = `${run.invocation.program} ${joined(words).text}`.trim();
    run.emit('privilege', process(what), {
      traits: ['grants-access'],
      reversible: 'no',
      note: 'changes who may do what',
    });
  }),
  ...rows('codesign', codesign),
  ...rows('aa-teardown aa-remove-unknown', (run) => {
    run.emit('privilege', process(run.invocation.program), {
      traits: ['removes-check'],
      reversible: 'no',
      note: 'changes how the system protects itself or starts',
    });
  }),
  ...rows(
    'iptables ip6tables nft ufw firewall-cmd ebtables arptables ipset pfctl iptables-restore ip6tables-restore nft-restore fail2ban-client tc',
    privileged(
      ['removes-check', 'grants-access'],
      /^(-L|--list|-S|--list-rules|-C|--check|list|status|show|--state|--list-all|--list-\S+|--get-\S+|--query-\S+|--dry-run|--check-config|-nL|-nvL|-vnL|-Ln|-s|-sr|-sa)$/,
      'changes the firewall',
    ),
  ),
  ...rows(
    'ifconfig route ip nmcli networksetup scutil brctl bridge iwconfig iw ethtool dhclient resolvectl ifup ifdown wg wg-quick openvpn netplan hostnamectl timedatectl localectl rfkill airport',
    privileged(
      [],
      /^(show|list|status|s|l|ls|a|addr|address|link|route|-a|-s|-n|get|dev|query|statistics|general|connection|device|monitor|-get\S*|-list\S*|--dns|--proxy|--nwi|-r|-4|-6|-br|-c|-j|info|scan|dump|try|generate)$/,
      'changes the network or the clock',
    ),
  ),
  ...rows(
    'setenforce semanage setsebool aa-disable aa-complain aa-enforce apparmor_parser auditctl spctl csrutil kextload kextunload nvram bless pmset systemsetup profiles tccutil mdutil fdesetup update-alternatives alternatives update-grub grub-install grub-mkconfig efibootmgr mokutil swapctl update-initramfs dracut mkinitcpio ldconfig update-ca-certificates update-ca-trust trust setcap hwclock dpkg-reconfigure debconf-set-selections',
    privileged(
      ['removes-check', 'grants-access'],
      /^(status|list|-l|--list|-g|--display|show|--status|-s|--query|authenticated-root|enum|\/enum|-listmodules|--help)$/,
      'changes how the system protects itself or starts',
    ),
  ),
  ...rows('wall talk', (run) => {
    run.emit(
      'write',
      { type: 'remote', service: 'terminals', name: exactWord('others').text },
      { traits: ['publish'] },
    );
  }),
];
