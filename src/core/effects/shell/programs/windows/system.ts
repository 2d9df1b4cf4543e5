import type { Op, Trait, Word } from '../../../effect.js';
import type { Program, ProgramEntry, Run } from '../../run.js';
import { dynamicWord, exactWord } from '../../word.js';
import { argumentsOf, joined, rows } from '../helpers.js';
import { slashOptions } from './slash.js';

const first = (run: Run): string => argumentsOf(run.invocation)[0]?.text.toLowerCase() ?? '';
const all = (run: Run): string =>
  argumentsOf(run.invocation)
    .map(({ text }) => text)
    .join(' ')
    .toLowerCase();
const operandsOf = (run: Run): readonly Word[] =>
  argumentsOf(run.invocation).filter(({ text, certainty }) => certainty === 'dynamic' || !/^[/-][^/\\]*$/.test(text));
const asksHelp = (run: Run): boolean => argumentsOf(run.invocation).some(({ text }) => text === '/?' || text === '-?');

/** One effect on something that the system holds. */
const holds = (run: Run, op: Op, service: string, name: string, traits: readonly Trait[], note: string): void =>
  run.emit(op, { type: 'remote', service, name }, { traits, note, reversible: op === 'read' ? 'yes' : 'no' });
const privilege = (run: Run, note: string, ...traits: readonly Trait[]): void =>
  run.emit('privilege', { type: 'process', process: run.invocation.program }, { traits, note });

/** Wipes a drive: `format c:`. */
const wipe = (run: Run, drive: Word | undefined): void => {
  const letter = /^([a-z]):/i.exec(drive?.text ?? '')?.[1]?.toUpperCase();
  const path = letter === undefined ? '//./PhysicalDrive' : `${letter}:/`;
  run.emit(
    'delete',
    { type: 'path', path, place: 'device', git: 'none' },
    {
      certainty: letter === undefined ? 'dynamic' : 'exact',
      reversible: 'no',
      traits: ['catastrophic', 'recursive'],
      note: 'wipes a drive',
    },
  );
};

const unlessHelp =
  (analyse: Program): Program =>
  (run) => {
    if (!asksHelp(run)) analyse(run);
  };

const attrib: Program = (run) => {
  const words = argumentsOf(run.invocation);
  const changes = words.some(({ text }) => /^[+-][a-z]$/i.test(text));
  const isDeep = words.some(({ text }) => /^\/s$/i.test(text));
  for (const word of operandsOf(run).filter(({ text }) => !/^[+-]/.test(text))) {
    if (changes) run.write(word, { traits: isDeep ? ['edit', 'recursive'] : ['edit'] });
    else run.list(word, { traits: isDeep ? ['recursive'] : [] });
  }
};

/** Rights on files: `icacls x /grant Everyone:F`. */
const rights: Program = (run) => {
  const text = all(run);
  const [path] = operandsOf(run);
  const changes =
    /\/(?:grant|deny|remove|setowner|setintegritylevel|inheritance|reset|restore|substitute|[gprd]\b)/.test(text) ||
    run.invocation.program === 'takeown';
  const isDeep = /\/[tr]\b/.test(text);
  const file = run.invocation.program === 'takeown' ? operandAfter(run, '/f') : path;
  if (!file) return;
  if (changes) run.write(file, { traits: isDeep ? ['edit', 'grants-access', 'recursive'] : ['edit', 'grants-access'] });
  else run.list(file);
  if (run.invocation.program === 'takeown') privilege(run, 'takes ownership');
};

function operandAfter(run: Run, option: string): Word | undefined {
  const words = argumentsOf(run.invocation);
  const at = words.findIndex(({ text }) => text.toLowerCase() === option);
  return at < 0 ? undefined : words[at + 1];
}

const copiesTree: Program = (run) => {
  const [from, to] = operandsOf(run);
  const text = all(run);
  if (!from) return;
  const isDeep = /\/(?:s|e|mir|purge|mov|move)\b/.test(text);
  const traits: Trait[] = isDeep ? ['recursive'] : [];
  if (/\/l\b/.test(text)) {
    run.list(from, { traits: [...traits, 'dry-run'] });
    return;
  }
  if (/\/(?:mov|move)\b/.test(text)) run.move(from, to ?? exactWord('.'), { traits });
  else run.copy(from, to ?? exactWord('.'), { traits });
  // A mirror takes away what is only in the target.
  if (/\/(?:mir|purge)\b/.test(text) && to)
    run.delete(to, { traits: ['recursive', 'mass'], note: 'what the source does not have' });
};

const net: Program = (run) => {
  const words = argumentsOf(run.invocation);
  const [verb = '', name] = words.map(({ text }) => text);
  switch (verb.toLowerCase()) {
    case 'user':
    case 'localgroup':
    case 'group':
    case 'accounts':
      if (words.length > 2) privilege(run, 'changes accounts', 'grants-access');
      return;
    case 'share':
      if (words.length > 1) privilege(run, 'shares a folder over the network', 'grants-access');
      return;
    case 'stop':
    case 'pause':
      run.emit('kill', { type: 'process', process: name ?? 'service' }, { note: 'a service' });
      return;
    case 'start':
    case 'continue':
      if (name !== undefined) run.emit('execute', { type: 'process', process: name }, { traits: ['daemon'] });
      return;
    case 'use': {
      const share = words.find(({ text }) => text.startsWith('\\\\') || text.startsWith('//'));
      if (share) run.network(share, {});
      return;
    }
    case 'view':
    case 'time':
    case 'send':
    case 'session':
    case 'file':
    case 'statistics':
    case 'config':
    case 'help':
    case 'helpmsg':
    case '':
      return;
    default:
      run.unknown(`sub-command ${verb} of net`);
  }
};

const sc: Program = (run) => {
  const words = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('\\\\'));
  const [verb = '', name = 'service'] = words.map(({ text }) => text);
  if (/^(?:query|queryex|qc|qdescription|qfailure|getdisplayname|getkeyname|enumdepend|sdshow|showsid|)$/i.test(verb))
    return;
  if (/^(?:delete|stop|pause)$/i.test(verb))
    run.emit('kill', { type: 'process', process: name }, { note: 'a service' });
  else if (/^(?:start|continue|control)$/i.test(verb))
    run.emit('execute', { type: 'process', process: name }, { traits: ['daemon'] });
  else if (/^(?:create|config|failure|sdset|description|triggerinfo|sidtype|privs)$/i.test(verb))
    run.emit('persist', { type: 'process', process: name }, { note: 'a service that the system starts' });
  else run.unknown(`sub-command ${verb} of sc`);
};

const netsh: Program = (run) => {
  const text = all(run);
  if (/^(?:\/\?|help|)$/.test(text) || /\b(?:show|dump)\b/.test(text)) {
    if (/key\s*=\s*clear/.test(text)) holds(run, 'read', 'wifi', '*', ['secret'], 'shows the key of a network');
    return;
  }
  if (/\badd\s+helper\b/.test(text))
    run.emit('persist', { type: 'process', process: 'netsh helper' }, { note: 'a library that netsh loads' });
  privilege(
    run,
    'changes the network settings',
    /firewall|portproxy|advfirewall/.test(text) ? 'grants-access' : 'force',
  );
};

const wmic: Program = (run) => {
  const text = all(run);
  const words = argumentsOf(run.invocation);
  const create = words.findIndex(({ text: word }) => /^create$/i.test(word));
  if (/\bprocess\b.*\bcall\b/.test(text) && create >= 0) {
    run.code('cmd', joined(words.slice(create + 1)));
    return;
  }
  if (/\b(?:call|delete|create|set|assoc)\b/.test(text)) {
    if (/shadowcopy/.test(text))
      holds(run, 'delete', 'backups', 'shadow copies', ['mass'], 'takes the copies away that the system keeps');
    else if (/\bdelete\b|terminate/.test(text))
      run.emit('kill', { type: 'process', process: words[0]?.text ?? 'object' }, { traits: ['mass'] });
    else if (/\bcall\s+uninstall\b/.test(text)) holds(run, 'delete', 'packages', 'product', [], 'takes a program away');
    else if (/\bset\b/.test(text)) privilege(run, 'changes a setting of the machine');
    else
      run.emit(
        'execute',
        { type: 'process', process: `wmic ${text.slice(0, 60)}` },
        { certainty: 'dynamic', traits: ['unreviewed'] },
      );
    return;
  }
  const node = /\/node:(\S+)/.exec(text)?.[1];
  if (node !== undefined) run.network(exactWord(node), {});
};

const certutil: Program = (run) => {
  const text = all(run);
  const [, ...rest] = argumentsOf(run.invocation);
  const files = rest.filter(({ text: word }) => !/^[-/]/.test(word));
  if (/[-/](?:urlcache|url|verifyctl|syncwithwu)\b/.test(text)) {
    const url = files.find(({ text: word }) => /^[a-z]+:\/\//i.test(word));
    const target = files.at(-1);
    if (url) run.network(url, { method: 'GET', traits: ['download'] });
    if (target && target !== url) run.write(target, { traits: ['download'] });
  } else if (/[-/](?:decode|decodehex|encode|encodehex)\b/.test(text)) {
    const [from, to] = files;
    if (from && to) run.copy(from, to);
  } else if (/[-/](?:addstore|importpfx|installcert)\b/.test(text))
    holds(run, 'write', 'certificates', files[0]?.text ?? '*', ['grants-access'], 'trusts a certificate');
  else if (/[-/](?:delstore|delkey)\b/.test(text)) holds(run, 'delete', 'certificates', files[0]?.text ?? '*', [], '');
  else if (/[-/](?:exportpfx|dump)\b/.test(text))
    holds(run, 'read', 'certificates', files[0]?.text ?? '*', ['secret'], '');
  else for (const file of files.slice(0, 1)) run.read(file);
};

const bitsadmin: Program = (run) => {
  const text = all(run);
  const words = argumentsOf(run.invocation);
  const url = words.find(({ text: word }) => /^[a-z]+:\/\//i.test(word));
  if (url) run.network(url, { method: 'GET', traits: /\/upload\b/.test(text) ? ['upload'] : ['download'] });
  const last = words.at(-1);
  if (url && last && last !== url) run.write(last, { traits: ['download'] });
  if (/\/setnotifycmdline\b/.test(text))
    run.emit('persist', { type: 'process', process: 'bits job' }, { note: 'runs when a transfer ends' });
};

/** Programs whose argument is code, a library or a page that runs: often used to hide what does. */
const hosts: Program = (run) => {
  const [target, ...rest] = operandsOf(run);
  if (!target) return;
  const text = target.text.toLowerCase();
  if (/^(?:javascript|vbscript|https?|ftp):|url\.dll|\\\\/.test(text)) {
    const url = /https?:\/\/\S+/i.exec(text)?.[0];
    if (url !== undefined || text.startsWith('\\\\'))
      run.network(url === undefined ? target : exactWord(url), { method: 'GET' });
    run.emit(
      'execute',
      { type: 'process', process: target.text },
      {
        certainty: 'dynamic',
        traits: ['covert', 'unreviewed', ...(url === undefined ? [] : (['remote-code'] as const))],
      },
    );
    return;
  }
  run.read(target);
  run.emit(
    'execute',
    { type: 'process', process: target.text },
    { certainty: 'dynamic', traits: ['covert', 'unreviewed'] },
  );
  void rest;
};

/** `cscript x.vbs`, `wscript x.js`: scripts of another host. */
const scriptHost: Program = (run) => {
  const [file] = operandsOf(run);
  if (!file) return;
  run.read(file);
  run.emit('execute', { type: 'process', process: file.text }, { traits: ['unreviewed'] });
};

const msiexec: Program = (run) => {
  const text = all(run);
  const target = argumentsOf(run.invocation).find(
    ({ text: word }) => /\.ms[ipu]$/i.test(word) || /^https?:/i.test(word) || /^\{/.test(word),
  );
  if (/\/x\b|\/uninstall\b/.test(text))
    holds(run, 'delete', 'packages', target?.text ?? '*', [], 'takes a program away');
  else if (target) {
    if (/^https?:/i.test(target.text)) run.network(target, { method: 'GET', traits: ['download'] });
    run.install('msi', target);
  }
};

const forfiles: Program = (run) => {
  const { options } = slashOptions(argumentsOf(run.invocation), 'p m c d s', 'p m c d');
  const folder = options.get('p') ?? exactWord('.');
  run.list(folder, { traits: options.has('s') ? ['recursive'] : [] });
  const command = options.get('c');
  if (command)
    run.code('cmd', {
      ...command,
      text: command.text.replace(/@(?:file|path|relpath|fname)/gi, '*').replace(/^cmd(?:\.exe)?\s+\/c\s+/i, ''),
    });
};

const runas: Program = (run) => {
  privilege(run, 'runs as somebody else');
  const words = operandsOf(run);
  const [command] = words;
  if (command) run.code('cmd', joined(words));
};

const psexec: Program = (run) => {
  const words = argumentsOf(run.invocation);
  const machine = words.find(({ text }) => text.startsWith('\\\\'));
  const at = words.findIndex(
    ({ text }, index) => !/^[-/\\]/.test(text) && !/^[-/][uprsnwla]$/i.test(words[index - 1]?.text ?? ''),
  );
  const command = at < 0 ? [] : words.slice(at);
  if (machine) run.network(machine, { traits: ['upload'] });
  if (words.some(({ text }) => /^[-/]s$/i.test(text))) privilege(run, 'runs as the system');
  if (command.length === 0) return;
  if (machine)
    run.elsewhere(
      { type: 'url', url: `smb:${machine.text}`, host: machine.text.replace(/^\\+/, ''), port: 445, method: null },
      command,
    );
  else run.carry(command);
};

const wevtutil: Program = (run) => {
  if (/^(?:cl|clear-log)$/.test(first(run)))
    holds(
      run,
      'delete',
      'event-log',
      argumentsOf(run.invocation)[1]?.text ?? '*',
      ['mass'],
      'takes away what the system has logged',
    );
  else if (/^(?:sl|set-log|im|install-manifest|um|uninstall-manifest)$/.test(first(run)))
    privilege(run, 'changes what the system logs', 'removes-check');
};

const bcdedit: Program = (run) => {
  if (
    /\/(?:set|delete|create|copy|import|default|timeout|store|bootsequence|displayorder|deletevalue|debug)/.test(
      all(run),
    )
  )
    holds(run, 'write', 'boot', 'configuration', ['removes-check'], 'changes how the machine starts');
};

const vssadmin: Program = (run) => {
  if (/\b(?:delete|resize)\b/.test(all(run)))
    holds(run, 'delete', 'backups', 'shadow copies', ['mass'], 'takes the copies away that the system keeps');
};

const fsutil: Program = (run) => {
  const text = all(run);
  if (/\bdeletejournal\b/.test(text)) {
    holds(run, 'delete', 'disk', 'journal', [], 'takes away the record of changes of a drive');
    return;
  }
  if (/\b(?:setzerodata|deletejournal|set\w*|create\w*|dismount|repair set)\b/.test(text)) {
    const file = /filename=(\S+)/.exec(text)?.[1] ?? operandsOf(run).at(-1)?.text;
    run.write(file === undefined ? dynamicWord('$file') : exactWord(file), { traits: ['edit'] });
  }
};

/** `esentutl /y source /d target` copies what is in use. */
const esentutl: Program = (run) => {
  const words = argumentsOf(run.invocation);
  const from = words.find(({ text }, at) => at > 0 && /^\/y$/i.test(words[at - 1]?.text ?? '') && !/^\//.test(text));
  const to = operandAfter(run, '/d');
  if (from) run.copy(from, to ?? exactWord('.'));
};

const setx: Program = (run) => {
  const [name] = operandsOf(run);
  if (name)
    run.emit('persist', { type: 'environment', name: name.text }, { note: 'a variable for whatever starts later' });
};

const readsFiles: Program = (run) => {
  const words = operandsOf(run);
  const files =
    run.invocation.program === 'findstr' && !/\/[gc]:/.test(all(run))
      ? words.slice(1)
      : run.invocation.program === 'findstr'
        ? words
        : words;
  const isDeep = /\/s\b/.test(all(run));
  for (const word of files) run.read(word, { traits: isDeep ? ['recursive'] : [] });
};

const credentialTools: Program = (run) =>
  holds(run, 'read', 'credentials', '*', ['secret', 'mass'], 'a tool that takes credentials out of memory');

/** Programs of Windows that have no counterpart in other tables. Source: Microsoft's Windows Commands reference; the LOLBAS project for those that run other code. */
export const windowsPrograms: readonly ProgramEntry[] = [
  ...rows('attrib', unlessHelp(attrib)),
  ...rows('icacls cacls xcacls takeown', unlessHelp(rights)),
  ...rows('robocopy xcopy', unlessHelp(copiesTree)),
  ...rows('replace', unlessHelp(copiesTree)),
  ...rows(
    'format',
    unlessHelp((run) => {
      const drive = operandsOf(run)[0];
      if (run.facts.platform === 'win32' || /^[a-z]:/i.test(drive?.text ?? '')) wipe(run, drive);
      else run.unknown('program format is not known');
    }),
  ),
  ...rows(
    'diskpart',
    unlessHelp((run) => {
      run.standardInput('cmd', []);
      wipe(run, undefined);
    }),
  ),
  ...rows(
    'cipher',
    unlessHelp((run) =>
      /\/w/.test(all(run))
        ? holds(run, 'delete', 'disk', all(run), ['mass'], 'wipes what was deleted for good')
        : /\/[edk]\b/.test(all(run))
          ? run.write(operandsOf(run)[0] ?? exactWord('.'), { traits: ['edit', 'recursive'] })
          : undefined,
    ),
  ),
  ...rows('net|net1', unlessHelp(net)),
  ...rows('sc', unlessHelp(sc)),
  ...rows('netsh', unlessHelp(netsh)),
  ...rows('wmic', unlessHelp(wmic)),
  ...rows('certutil certreq', unlessHelp(certutil)),
  ...rows('bitsadmin', unlessHelp(bitsadmin)),
  ...rows(
    'rundll32 regsvr32 mshta odbcconf installutil regasm regsvcs cmstp control infdefaultinstall pcalua scriptrunner ieexec presentationhost xwizard',
    unlessHelp(hosts),
  ),
  ...rows('cscript wscript', unlessHelp(scriptHost)),
  ...rows('msiexec wusa pkgmgr', unlessHelp(msiexec)),
  ...rows('forfiles', unlessHelp(forfiles)),
  ...rows('runas', unlessHelp(runas)),
  ...rows('psexec|psexec64|paexec', unlessHelp(psexec)),
  ...rows('wevtutil', unlessHelp(wevtutil)),
  ...rows(
    'auditpol gpupdate secedit',
    unlessHelp((run) =>
      /\/(?:set|clear|remove|restore|configure|force)/.test(all(run))
        ? privilege(run, 'changes the rules of the system', 'removes-check')
        : undefined,
    ),
  ),
  ...rows('bcdedit bootcfg bootrec bcdboot', unlessHelp(bcdedit)),
  ...rows('vssadmin wbadmin diskshadow', unlessHelp(vssadmin)),
  ...rows('fsutil', unlessHelp(fsutil)),
  ...rows('setx', unlessHelp(setx)),
  ...rows('esentutl', unlessHelp(esentutl)),
  ...rows(
    'logoff tsdiscon',
    unlessHelp((run) => {
      run.emit(
        'kill',
        { type: 'process', process: 'session' },
        { traits: ['mass'], note: 'ends the session of a person' },
      );
    }),
  ),
  ...rows('findstr fc comp certmgr', unlessHelp(readsFiles)),
  ...rows(
    'tasklist systeminfo driverquery gpresult query|quser|qwinsta|qprocess ipconfig getmac arp nbtstat pathping label vol mountvol subst verify ver sfc dism.exe powercfg w32tm chkdsk compact extrac32 makecab doskey chcp mode sxstrace perfmon resmon typeperf logman eventvwr msinfo32 dxdiag winver choice timeout waitfor openfiles pnputil|devcon bleachbit_console',
    quietUnlessChange,
  ),
  ...rows('mimikatz procdump|procdump64 pypykatz lazagne', credentialTools),
  ...rows(
    'dism',
    unlessHelp((run) =>
      /\/(?:disable|remove|enable|add|apply|restore|startcomponent|resetbase)/.test(all(run))
        ? privilege(run, 'changes parts of the system')
        : undefined,
    ),
  ),
];

/** Programs that ask, unless one of their words changes something. */
function quietUnlessChange(run: Run): void {
  const text = all(run);
  switch (run.invocation.program) {
    case 'ipconfig':
      if (/\/(?:release|renew|flushdns|registerdns|setclassid)/.test(text))
        privilege(run, 'changes the network settings');
      return;
    case 'label':
    case 'subst':
    case 'mountvol':
    case 'powercfg':
    case 'pnputil':
      if (
        /\/(?:d|p|x|s|setactive|delete|import|change|h|hibernate|setactive|setacvalueindex|setdcvalueindex|add|remove|disable|enable)\b/.test(
          text,
        ) ||
        (run.invocation.program === 'label' && text !== '')
      )
        privilege(run, 'changes a setting of the machine');
      return;
    case 'chkdsk':
    case 'sfc':
      if (/\/(?:f|r|x|scannow|offlinescanandfix|spotfix)\b/.test(text))
        holds(run, 'write', 'disk', operandsOf(run)[0]?.text ?? '*', ['edit'], 'repairs a drive or the system');
      return;
    case 'compact':
      if (/\/[cu]\b/.test(text)) for (const word of operandsOf(run)) run.write(word, { traits: ['edit'] });
      return;
    case 'extrac32':
    case 'makecab': {
      const [from, to] = operandsOf(run);
      if (from && to) run.copy(from, to);
      return;
    }
    default:
      for (const word of operandsOf(run)) if (word.text.startsWith('\\\\')) run.network(word, {});
  }
}
