import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, isHelpOnly, joined, rows, withText } from '../helpers.js';
import { editorEmpties } from '../files/emptying.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** `open`, `xdg-open`, `start`: a file with its program, or an address in the browser, where cookies go along. */
function open(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '-e -t -f -W -R -n -g -j -h -F --new --background',
      values: '-a -b -u --args --env --stdin --stdout --stderr',
    },
    words,
  );
  const program = parsed.value('-a');
  if (program) run.emit('execute', { type: 'process', process: program.text }, { traits: ['interactive'] });
  for (const target of parsed.operands) {
    if (/^[a-z][\w+.-]*:(?!\\)/i.test(target.text) && !/^file:/i.test(target.text))
      run.network(target, { method: 'GET', traits: ['outward'], note: 'in the browser, as the person' });
    else {
      run.read(target);
      if (/\.(app|command|sh|scpt|workflow|desktop|jar|exe|bat|cmd|ps1|pkg|dmg|terminal|tool)$/i.test(target.text))
        run.emit('execute', { type: 'process', process: target.text }, { traits: ['unreviewed'] });
    }
  }
}

/** Keys and clicks for other windows, and calls to other programs: whatever they can do, this does. */
function steers(run: Run, what: string): void {
  run.emit(
    'execute',
    { type: 'process', process: what },
    { traits: ['covert', 'unreviewed'], note: `${run.invocation.program} steers ${what}` },
  );
}

/** `xdotool type x`, `cliclick c:1,2`, `ydotool key 28:1`: what a person would type. Sources: the tools' own man pages. */
function keys(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const looks = /^(?:search|get\w+|version|help|p|-V|--version|selectwindow)$/;
  if (words.some(({ text }) => !text.startsWith('-') && !looks.test(text)) && !looks.test(words[0]?.text ?? ''))
    steers(run, 'keys');
}

/** The screen, the camera and the microphone show whatever the person has before them. */
function captures(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { program } = run.invocation;
  // A line of Python that went astray begins with the same word.
  if (program === 'import' && !words.some(({ text }) => /^-window$|\.(?:png|jpe?g|gif|webp|bmp|xwd)$|^x:/i.test(text)))
    return;
  const parsed = parseOptions({ values: '-f --file -d --duration -r -c -D -t -R -l -w -o --output -s' }, words);
  run.emit('read', { type: 'environment', name: 'screen or microphone' }, { traits: ['personal', 'secret'] });
  for (const file of [...parsed.values('-f', '--file', '-o', '--output'), ...parsed.operands])
    if (/\.\w+$/.test(file.text)) run.write(file);
}

/** Messages to the system's own services. Sources: dbus-send(1), busctl(1), gdbus(1), qdbus. */
function bus(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const verbs = words.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  const calls = run.invocation.program === 'dbus-send' || /^(?:call|set-property|emit)$/.test(verbs[0] ?? '');
  const isQt = /^qdbus/.test(run.invocation.program) && verbs.length > 2;
  const member = verbs.find((word) => /\.[A-Z]\w*$/.test(word))?.replace(/^.*\./, '') ?? verbs[3] ?? '';
  const looks = /^(?:Get|List|Introspect|Ping|NameHasOwner|Find|Is|Can)/.test(member) || /^get/.test(verbs[0] ?? '');
  const name = verbs.join(' ').slice(0, 200);
  if ((calls || isQt) && !looks)
    run.emit('privilege', { type: 'process', process: name }, { note: 'asks a service of the system to act' });
}

/** AppleScript: `do shell script` is code; everything else can steer any program of the person. */
function osascript(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ flags: '-i', values: '-e -l -s', stopsAtOperand: true }, words);
  const lines = parsed.values('-e');
  const text = lines.length > 0 ? joined(lines, '\n') : null;
  for (const file of lines.length === 0 ? parsed.operands.slice(0, 1) : []) {
    run.read(file);
    run.emit('execute', { type: 'process', process: file.text }, { traits: ['unreviewed'] });
  }
  if (!text) return;
  for (const [, line = ''] of text.text.matchAll(/(?:do shell script|doShellScript\()\s*"((?:[^"\\]|\\.)*)"/g))
    run.code('sh', withText(text, line.replace(/\\(.)/g, '$1')));
  if (/administrator privileges/.test(text.text))
    run.emit('privilege', { type: 'process', process: 'osascript' }, { traits: ['grants-access'] });
  if (/\b(?:keystroke|key code|click (?:at|button|menu)|AXPress)\b/.test(text.text)) steers(run, 'keys');
  else if (
    /\btell app(?:lication)?\b[^\n]*\b(?:to|delete|erase|empty)\b/.test(text.text) &&
    /\b(?:delete|erase|empty|move|duplicate|quit|send|restart|shut down|log out|sleep|do script|execute javascript|make new)\b/i.test(
      text.text,
    )
  )
    steers(run, 'other programs');
  if (/\bhidden answer\b/.test(text.text))
    run.emit('read', { type: 'environment', name: 'a password, asked of the person' }, { traits: ['secret'] });
  if (
    /\b(tell app(?:lication)?|keystroke|System Events|Application\()/.test(text.text) &&
    !/^\s*tell application "(System Events|Finder)"\s*to (get|return)/.test(text.text)
  )
    run.unknown('a script that steers other programs');
  else if (
    !/do shell script|display (notification|dialog|alert)|^\s*(return|get|set volume|say|beep)\b/.test(text.text)
  )
    run.unknown('a script of AppleScript');
}

/** `defaults`: settings of programs and of the system. */
function defaults(run: Run): void {
  const [verb, domain] = argumentsOf(run.invocation).filter(({ text }) => !/^-(currentHost|app)$/.test(text));
  if (/^(?:gsettings|dconf|xdg-settings|xdg-mime|kwriteconfig[56]?)$/.test(run.invocation.program)) {
    if (
      /^(?:set|reset|reset-recursively|write|load|compile|update|default|install|uninstall)$/.test(verb?.text ?? '') ||
      run.invocation.program.startsWith('kwrite')
    )
      run.emit(
        'persist',
        { type: 'environment', name: `${run.invocation.program} ${domain?.text ?? ''}`.trim() },
        { reversible: 'checkpoint', note: "a setting of the person's desktop" },
      );
    return;
  }
  if (/^(write|import|rename)$/.test(verb?.text ?? ''))
    run.emit(
      'persist',
      { type: 'environment', name: `defaults ${domain?.text ?? ''}` },
      { reversible: 'checkpoint', note: 'a setting of a program' },
    );
  else if (/^delete(?:-all)?$/.test(verb?.text ?? ''))
    run.emit(
      'persist',
      { type: 'environment', name: `defaults ${domain?.text ?? ''}` },
      { reversible: 'no', note: 'settings of a program go' },
    );
}

/** The keychain of macOS, and kin on other systems. */
function keychain(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const verb =
    words
      .find(({ text }) => !text.startsWith('-'))
      ?.text.toLowerCase()
      .replace(/^\//, '') ?? '';
  const resource = { type: 'environment', name: 'keychain' } as const;
  if (
    /^(find-[\w-]*password|dump-keychain|export|find-key|unlock-keychain|decrypt|print|pipe|request|lookup|search|get|read|list(?:creds|properties)(?::.*)?|show-keychain-info|find-identity|find-certificate)$/.test(
      verb,
    )
  ) {
    run.emit('read', resource, { traits: /certificate|identity|info/.test(verb) ? [] : ['secret'] });
  } else if (/^(delete|clear|lock-keychain|remove)/.test(verb))
    run.emit('delete', resource, { traits: ['secret'], reversible: 'no' });
  else if (/^list/.test(verb) && /^(?:cmdkey|vaultcmd)$/.test(run.invocation.program))
    run.emit('read', resource, { traits: ['secret'] });
  else if (/^(add|generic|set|create|import|store|authorizationdb|trust)/.test(verb))
    run.emit('persist', resource, { traits: ['secret', 'grants-access'], reversible: 'no' });
  else if (!/^(list|default|login|help|verify|cms|error|leaks|version|find|translocate|smartcards)/.test(verb))
    run.unknown(`${verb} of the keychain`);
}

/** The clipboard: it may hold a password, and others read it. */
const clipboardRead = (run: Run): void => {
  run.emit('read', { type: 'environment', name: 'clipboard' }, { traits: ['personal'] });
};
const clipboardWrite = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (words.some(({ text }) => /^(-o|-out|--output|-p0)$/.test(text))) clipboardRead(run);
  else run.emit('write', { type: 'environment', name: 'clipboard' }, { reversible: 'yes' });
};

/** `gpg`: files in and out, and keys. Source: gpg(1) 2.4. */
function gpg(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-e --encrypt -d --decrypt -s --sign -b --detach-sign --clearsign --clear-sign -c --symmetric -a --armor -v --verify -k --list-keys -K --list-secret-keys --import --export --export-secret-keys --export-secret-subkeys --delete-keys --delete-secret-keys --delete-key --delete-secret-key --delete-secret-and-public-key --gen-key --full-generate-key --quick-generate-key --batch --yes -q --recv-keys --send-keys --refresh-keys --edit-key --fingerprint --dearmor --enarmor --list-packets --version --export-ownertrust --import-ownertrust --change-passphrase --gen-revoke --no-tty --card-status',
      values:
        '-o --output -r --recipient -u --local-user --keyserver --homedir --passphrase --passphrase-file --passphrase-fd --pinentry-mode --cipher-algo --trust-model --default-key --keyring --status-fd --photo-viewer --exec-path',
    },
    words,
  );
  const output = parsed.value('-o', '--output');
  if (output && output.text !== '-') run.write(output);
  const keys = { type: 'environment', name: 'gpg keys' } as const;
  if (parsed.has('-d', '--decrypt'))
    run.emit('read', { type: 'environment', name: 'what was encrypted' }, { traits: ['secret'] });
  if (parsed.has('--export-secret-keys', '--export-secret-subkeys')) run.emit('read', keys, { traits: ['secret'] });
  if (parsed.options.some(({ name }) => name.startsWith('--delete')))
    run.emit('delete', keys, { traits: ['secret'], reversible: 'no' });
  if (
    parsed.has(
      '--import',
      '--recv-keys',
      '--edit-key',
      '--import-ownertrust',
      '--gen-key',
      '--full-generate-key',
      '--quick-generate-key',
      '--change-passphrase',
    )
  )
    run.emit('persist', keys, { traits: ['grants-access'], note: 'whom signatures are trusted from' });
  if (parsed.has('--recv-keys', '--refresh-keys'))
    run.network(parsed.value('--keyserver') ?? exactWord('https://keys.openpgp.org'), {
      method: 'GET',
      traits: ['download'],
    });
  if (parsed.has('--send-keys'))
    run.network(parsed.value('--keyserver') ?? exactWord('https://keys.openpgp.org'), {
      method: 'POST',
      traits: ['upload', 'publish'],
    });
  const viewer = parsed.value('--photo-viewer');
  if (viewer) run.code('sh', viewer);
  if (!parsed.has('--recv-keys', '--send-keys', '-k', '--list-keys', '-K', '--fingerprint', '--edit-key', '--export'))
    for (const file of parsed.operands) if (/[./]/.test(file.text)) run.read(file);
}

/** `age`: files in and out; with `-d` what was encrypted. Source: age(1) 1.2. */
function age(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '-d|--decrypt -e|--encrypt -a|--armor -p|--passphrase',
      values: '-i|--identity -o|--output -r|--recipient -R|--recipients-file -j',
    },
    words,
  );
  for (const file of [...parsed.values('-i', '-R'), ...parsed.operands]) run.read(file);
  const output = parsed.value('-o');
  if (output) run.write(output);
  if (parsed.has('-d')) run.emit('read', { type: 'environment', name: 'what was encrypted' }, { traits: ['secret'] });
}

/** Source: ssh-keygen(1) and ssh-add(1) of OpenSSH 9.9. */
function sshKeygen(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    {
      flags: '-A -B -c -e -g -H -h -i -k -L -l -p -q -U -u -v -y -K',
      values: '-a -b -C -D -E -F -f -I -J -j -M -m -N -n -O -P -R -r -s -T -t -V -w -Y -Z -z',
    },
    words,
  );
  const file = parsed.value('-f');
  const provider = parsed.value('-D') ?? parsed.value('-w');
  if (provider)
    run.emit(
      'execute',
      { type: 'process', process: provider.text },
      { traits: ['covert', 'unreviewed'], note: 'ssh-keygen loads it' },
    );
  if (parsed.has('-R'))
    run.write(file ?? exactWord(`${run.facts.home}/.ssh/known_hosts`), { traits: ['edit', 'removes-check'] });
  else if (parsed.has('-R', '-F', '-l', '-L', '-B', '-y', '-e', '-H')) {
    if (file) run.read(file);
    if (parsed.has('-R')) run.emit('delete', { type: 'environment', name: 'known hosts' }, {});
  } else {
    const target = file ?? exactWord(`${run.facts.home}/.ssh/id_ed25519`);
    run.write(target, parsed.has('-p', '-c') ? { traits: ['edit'] } : {});
  }
  if (parsed.has('-R')) run.emit('delete', { type: 'environment', name: 'a known host' }, { reversible: 'checkpoint' });
}

function sshAdd(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    { flags: '-c -D -d -K -k -L -l -q -v -X -x -A', values: '-E -e -H -h -S -s -T -t' },
    words,
  );
  if (parsed.has('-l', '-L', '-T')) return;
  const keys = { type: 'environment', name: 'keys of the ssh agent' } as const;
  if (parsed.has('-D', '-d', '-e'))
    run.emit('persist', keys, {
      traits: parsed.has('-D') ? ['mass'] : [],
      reversible: 'checkpoint',
      note: 'takes keys away',
    });
  else run.emit('persist', keys, { traits: ['grants-access'], note: 'commands may use the key from now on' });
  for (const library of parsed.values('-s'))
    run.emit('execute', { type: 'process', process: library.text }, { traits: ['covert', 'unreviewed'] });
}

const EDITOR_COMMAND =
  /^\s*(?:silent!?\s+)?(?:!|r(?:ead)?\s*!|w(?:rite)?\s*!|%!|\d*,?\d*!|terminal\s|term\s|make\b)(.*)$/s;

/** `:r file`, `:0r file`, `:e file`, `:split file`: what they open is shown. */
const EDITOR_READS =
  /^(?:[\d$.,%]*\s*)(?:r|re|read|e|ed|edit|view|vie|sp|split|vs|vsplit|tabe|tabedit|tabnew|sview|sv|badd|ar|args|find|fin|diffs|diffsplit)!?\s+(?:\+\S+\s+|\+\+\S+\s+)*([^!\s+].*)$/;

/** Commands of vim: `:!cmd`, `call system()`, `py3`, `lua`, `w file`, `source`. */
function vimCommand(run: Run, command: Word): void {
  for (const part of command.text.replace(/^:/, '').split(/\|(?=\s*[a-z!])/i)) {
    const text = part.replace(/^[:+]+/, '').trim();
    const shell =
      EDITOR_COMMAND.exec(text)?.[1] ??
      /\b(?:system|systemlist|termopen|job_start|jobstart)\s*\(\s*['"]([^'"]*)/.exec(text)?.[1];
    if (shell !== undefined) run.code('sh', withText(command, shell));
    else if (/^(py3?|python3?|pyx)\b/.test(text)) run.code('python', withText(command, text.replace(/^\w+\s*/, '')));
    else if (/^lua\s/.test(text)) run.code('lua', withText(command, text.replace(/^lua\s+/, '')));
    else if (/^(lua|luafile|luado|perl|ruby|tcl|source|so|runtime|exe(cute)?|call|autocmd|au)\b/.test(text))
      run.unknown(`a command of the editor: ${text.slice(0, 60)}`);
    else if (EDITOR_READS.test(text)) run.read(withText(command, EDITOR_READS.exec(text)?.[1] ?? ''));
    else if (/^(w|wq|x|write|update|up|wa|wqa|xa|saveas|sav)!?(\s+(.+))?$/.test(text)) {
      const file = /^\w+!?\s+(?:>>\s*)?(.+)$/.exec(text)?.[1];
      if (file) run.write(withText(command, file));
    }
  }
}

const VIM_FLAGS =
  '-b -d -e -E -es -Es -f -g -h -l -L -m -M -n -N -o -O -p -r -R -v -V -x -y -Z --clean --headless --noplugin --embed -A -H -D';
const VIM_VALUES =
  '-c --cmd -i -q -S -t -T -u -U -w -W --listen --server --remote --remote-send --remote-expr -l0 --startuptime';
const VIM_OPTIONS: OptionSpec = { flags: VIM_FLAGS, values: `${VIM_VALUES} -s` };
const EX_OPTIONS: OptionSpec = { flags: `${VIM_FLAGS} -s`, values: VIM_VALUES };

function vim(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  // Ex mode is told by its name or an option; `-s` means quiet there, and a file of keys elsewhere.
  const isEx =
    /(?:^|\/)r?ex$/.test(run.invocation.argv[0]?.text ?? '') || words.some(({ text }) => /^-[eE]/.test(text));
  const parsed = parseOptions(
    isEx ? EX_OPTIONS : VIM_OPTIONS,
    words.filter(({ text }) => !text.startsWith('+')),
  );
  const commands = [
    ...parsed.values('-c'),
    ...parsed.values('--cmd'),
    ...words.filter(({ text }) => /^\+./.test(text)).map((word) => withText(word, word.text.slice(1))),
  ];
  for (const command of commands) if (!/^\d*$|^\//.test(command.text)) vimCommand(run, command);
  for (const file of [...parsed.values('-S'), ...parsed.values('-s'), ...parsed.values('-u')])
    if (!/^(NONE|NORC)$/.test(file.text)) {
      run.read(file);
      run.emit(
        'execute',
        { type: 'process', process: file.text },
        { traits: ['unreviewed'], note: 'commands of the editor' },
      );
    }
  for (const output of [...parsed.values('-w'), ...parsed.values('-W')])
    if (!/^\d+$/.test(output.text)) run.write(output);
  for (const remote of [...parsed.values('--remote-send'), ...parsed.values('--remote-expr')])
    run.unknown(`keys for another editor: ${remote.text.slice(0, 40)}`);
  const isReading = parsed.has('-R', '-M') || /^(view|rview)$/.test(run.invocation.program);
  const quits =
    commands.some(({ text }) => /^q/.test(text.trim())) &&
    !commands.some(({ text }) => /^:?(w|x|up)/.test(text.trim()));
  const typed = isEx ? textOfInput(run) : null;
  const isEmptying = editorEmpties([...commands.map(({ text }) => text), ...(typed ?? '').split('\n')]);
  for (const file of parsed.operands) {
    run.read(file);
    if (!isReading && !quits) run.write(file, { traits: isEmptying ? ['interactive'] : ['edit', 'interactive'] });
  }
}

function emacs(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '-Q -q -nw --batch -batch --no-init-file --quick -t0 -n -a0 --daemon --no-wait --tty -c --create-frame',
      values:
        '-l --load --eval -eval --execute -f --funcall --script -L --directory --insert --chdir -s --socket-name --kill0 -d --display -e',
      style: 'gnu',
    },
    words,
  );
  for (const code of [
    ...parsed.values('--eval'),
    ...parsed.values('-eval'),
    ...parsed.values('--execute'),
    ...parsed.values('-e'),
  ]) {
    run.code('elisp', code);
  }
  for (const file of [...parsed.values('-l', '--load'), ...parsed.values('--script')]) {
    run.read(file);
    run.emit('execute', { type: 'process', process: file.text }, { traits: ['unreviewed'] });
  }
  if (!parsed.has('--batch', '-batch'))
    for (const file of parsed.operands) run.write(file, { traits: ['edit', 'interactive'] });
}

/** Editors with a window: they open what they are given. `--install-extension` adds code that runs in the editor. */
function windowEditor(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words) || words.some(({ text }) => text === '--list-extensions' || text === '--status')) return;
  const parsed = parseOptions(
    {
      flags:
        '-d|--diff -a|--add -n|--new-window -r|--reuse-window -w|--wait -m|--merge --force --pre-release --verbose --disable-extensions -v',
      values:
        '--install-extension --uninstall-extension -g|--goto --user-data-dir --extensions-dir --profile --folder-uri --file-uri --remote --add-mcp --locale --log --sync',
    },
    words,
  );
  for (const name of parsed.values('--install-extension')) run.install('vscode', name);
  for (const name of parsed.values('--uninstall-extension'))
    run.emit('delete', { type: 'package', ecosystem: 'vscode', name: name.text, version: null }, {});
  for (const server of parsed.values('--add-mcp'))
    run.emit(
      'persist',
      { type: 'agent-config', path: `${run.facts.home}/.config/Code/User/mcp.json` },
      { note: server.text.slice(0, 80) },
    );
  if (/^(tunnel|serve-web|chat|agent)$/.test(parsed.operands[0]?.text ?? '')) {
    if (/tunnel|serve/.test(parsed.operands[0]?.text ?? ''))
      run.network(exactWord('https://vscode.dev'), { method: 'LISTEN', traits: ['publish', 'outward', 'daemon'] });
    else run.emit('execute', { type: 'process', process: 'chat of the editor' }, { traits: ['unreviewed'] });
  } else for (const file of parsed.operands) run.read(file);
}

/** What is typed into a program, where that is known. */
function textOfInput(run: Run): string | null {
  const { input } = run.invocation;
  if (input.type === 'file') return run.textOf(input.path);
  return input.type === 'text' && input.certainty !== 'dynamic' ? input.text : null;
}

const lineEditor = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { input } = run.invocation;
  const typed = textOfInput(run);
  const isEmptying = typed !== null && editorEmpties(typed.split('\n'));
  if (typed !== null)
    for (const line of typed.split('\n')) {
      const shell = /^\s*[\d,$%]*!(.*)$/.exec(line)?.[1] ?? /^[\d,$%]*[rw]\s*!(.*)$/.exec(line)?.[1];
      if (shell !== undefined) run.code('sh', exactWord(shell));
    }
  for (const file of words.filter(({ text }) => !/^[-+]/.test(text)))
    run.write(file, {
      traits: [
        ...(isEmptying ? [] : (['edit'] as const)),
        ...(input.type === 'none' ? (['interactive'] as const) : []),
      ],
    });
};

/** Agents started by an agent: they do as they are told, with the rights that their options give them. */
function agent(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const text = joined(words).text;
  const unguarded =
    /--dangerously|--yolo|--full-auto|--bypass|--skip-permissions|--allow-all|--auto-approve|--no-sandbox|danger-full-access|--safe-mode|--pure\b|--no-extensions|--trust-all|--no-interactive|-y\b|--disable-hooks|--no-hooks/.test(
      text,
    );
  const verb = words.find((word) => !word.text.startsWith('-'))?.text ?? '';
  const isSetting =
    /^(mcp|config|plugin|plugins|hooks|extensions|settings|agents|skills|install|setup-token)$/.test(verb) &&
    !/\b(list|get|ls|show|path)\b/.test(text);
  if (isSetting)
    run.emit(
      'persist',
      { type: 'agent-config', path: `${run.invocation.program} ${verb}` },
      { note: 'settings of an agent' },
    );
  else
    run.emit(
      'execute',
      { type: 'process', process: `agent ${run.invocation.program}` },
      { traits: unguarded ? ['unreviewed', 'removes-check', 'covert'] : ['unreviewed'] },
    );
}

export const desktopPrograms: readonly ProgramEntry[] = [
  ...rows(
    'open xdg-open|gnome-open|kde-open|exo-open|wslview|cygstart explorer msedge google-chrome|chrome|chromium|chromium-browser firefox|safari|brave-browser|sensible-browser',
    open,
  ),
  ...rows('osascript', osascript),
  ...rows('defaults plutil PlistBuddy gsettings dconf xdg-settings xdg-mime kwriteconfig5|kwriteconfig6', defaults),
  ...rows('xdotool|ydotool wtype cliclick dotool', keys),
  ...rows(
    'screencapture scrot gnome-screenshot spectacle flameshot grim maim import arecord parecord pw-record rec fswebcam imagesnap wf-recorder',
    captures,
  ),
  ...rows('dbus-send busctl gdbus qdbus|qdbus6', bus),
  ...rows('security secret-tool kwallet-query keyctl cmdkey vaultcmd', keychain),
  ...rows('pbpaste wl-paste', clipboardRead),
  ...rows('pbcopy wl-copy xclip xsel clip', clipboardWrite),
  ...rows('gpg|gpg2', gpg),
  ...rows('age|rage', age),
  ...rows('ssh-keygen', sshKeygen),
  ...rows('ssh-add', sshAdd),
  ...rows('ssh-agent gpg-agent gpgconf gpg-connect-agent', () => undefined),
  ...rows('vim|vi|nvim|view|gvim|ex|vimdiff|nvi|rvim|rview', vim),
  ...rows('emacs|emacsclient', emacs),
  ...rows('nano|pico|micro|joe|ne|helix|hx|kak|kakoune mcedit jed', lineEditor),
  ...rows('ed red', lineEditor),
  ...rows(
    'code|code-insiders|codium|vscodium|cursor|windsurf subl|sublime_text zed|zeditor idea|pycharm|webstorm|goland|clion|rider|rubymine|phpstorm atom gedit|kate|mousepad|notepad|TextEdit',
    windowEditor,
  ),
  ...rows(
    'claude codex gemini opencode amp kiro-cli openclaw hermes aider cursor-agent cline qwen crush droid auggie pi',
    agent,
  ),
];
