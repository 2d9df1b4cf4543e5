import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, HERE, isHelpOnly, rows, withText } from '../helpers.js';
import { parseOptions } from '../options.js';

/** `websocat ws://x`, `wscat -c ws://x`: two ends that are joined; one of them may be a command. Source: websocat 1.14. */
function websocket(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '-b|--binary -t|--text -E|--exit-on-eof -n -u -U -1 -k|--insecure -v -q -s --oneshot --no-color',
      values:
        '-c|--connect -H|--header --protocol -l|--listen -x|--execute --auth -P --ws-c-uri --basic-auth --origin -w --cert --key --ca -p|--port -B',
    },
    words,
  );
  for (const end of [...parsed.values('-c'), ...parsed.operands]) {
    const command = /^(?:sh-c|cmd|exec):(.+)$/s.exec(end.text)?.[1];
    if (command !== undefined) run.code('sh', withText(end, command));
    else if (/^(?:ws-l|wss-l|tcp-l|l-ws|s)[:-]/.test(end.text) || /^\d+$/.test(end.text)) listens(run, end);
    else if (/^(?:wss?|tcp|ssl|udp|connect|ws-c|http):|\.\w+(?::\d+)?(?:\/|$)/.test(end.text))
      run.network(withText(end, end.text.replace(/^(?:tcp|ssl|udp|connect|ws-c):(?!\/\/)/, '')), {
        traits: ['upload', 'download'],
      });
    else if (/^(?:readfile|open-async|writefile|appendfile):/.test(end.text)) {
      const path = withText(end, end.text.replace(/^[\w-]+:/, ''));
      if (/^(?:write|append)/.test(end.text)) run.write(path);
      else run.read(path);
    }
  }
  for (const port of parsed.values('-l')) listens(run, port);
}

function listens(run: Run, where: Word): void {
  const isHere = /localhost|127\.0\.0\.1|\[?::1\]?/.test(where.text) || /^(?:ws-l:|s:)?\d+$/.test(where.text);
  run.network(withText(where, isHere ? 'http://localhost' : 'http://0.0.0.0'), {
    method: 'LISTEN',
    traits: isHere ? ['daemon'] : ['publish', 'outward', 'daemon'],
  });
}

/** `grpcurl host:port list`, `grpcurl -d '{}' host:port pkg.Service/Call`. Source: grpcurl 1.9. */
function grpc(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      style: 'single',
      flags: '-plaintext -insecure -v -vv -emit-defaults -msg-template -use-reflection -allow-unknown-fields -unix',
      values:
        '-d -H -rpc-header -reflect-header -import-path -proto -protoset -protoset-out -proto-out-dir -cacert -cert -key -authority -servername -connect-timeout -max-time -max-msg-sz -format -keepalive-time -user-agent',
    },
    words,
  );
  const [target, verb] = parsed.operands;
  for (const file of [...parsed.values('-proto'), ...parsed.values('-protoset'), ...parsed.values('-key')])
    run.read(file);
  for (const file of parsed.values('-protoset-out')) run.write(file);
  const asks = /^(?:list|describe)$/.test(verb?.text ?? 'list');
  if (target && !/^(?:list|describe)$/.test(target.text))
    run.network(target, { traits: asks ? ['download'] : ['upload', 'download'] });
}

/** Browsers of the terminal: pages and files. Sources: lynx(1), w3m(1), links(1). */
function textBrowser(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const sends = words.some(({ text }) => /^-post[_-]data$|^-post$/.test(text));
  for (const word of words.filter(({ text }) => !text.startsWith('-') && /[./:]/.test(text))) {
    if (/^\w+:\/\//.test(word.text) || !/^(?:\.{0,2}\/|~)|\.(?:html?|txt|md)$/i.test(word.text))
      run.network(word, { method: sends ? 'POST' : 'GET', traits: ['download'] });
    else run.read(word);
  }
}

/** `mosh host`, `xfreerdp /v:host`, `vncviewer host`: another machine, and what is typed there. */
function otherScreen(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const named = words.find(({ text }) => /^\/v:./.test(text));
  const host = named ? withText(named, named.text.slice(3)) : words.find(({ text }) => !/^[-/+]/.test(text));
  if (host) run.network(host, { traits: ['upload', 'download', 'interactive'] });
}

/** `croc send x`, `wormhole send x`, `ffsend upload x`, `pastebinit -i x`: files that others can fetch. */
function handsOver(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb] = words.filter(({ text }) => !text.startsWith('-'));
  const takes = /^(?:receive|recv|rx|download|info|exists|version|help|list|history)$/.test(verb?.text ?? '');
  for (const word of words.filter(({ text }) => !text.startsWith('-') && !/^(?:send|tx|upload|share)$/.test(text)))
    if (!takes) run.read(word, { traits: ['recursive'] });
  run.network(withText(HERE, `https://${run.invocation.program}`), {
    method: takes ? 'GET' : 'POST',
    traits: takes ? ['download'] : ['upload', 'publish'],
  });
}

/** `gnutls-cli host`: a connection, and what is typed or piped into it. */
function encrypted(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ values: '-p --port --x509cafile --priority --sni-hostname --starttls-proto' }, words);
  const [host] = parsed.operands;
  if (host) run.network(host, { traits: run.invocation.input.type === 'none' ? ['download'] : ['upload', 'download'] });
}

/** Clients of the network for which a few words are enough. */
export const clientPrograms: readonly ProgramEntry[] = [
  ...rows('websocat wscat', websocket),
  ...rows('grpcurl', grpc),
  ...rows('croc wormhole|magic-wormhole ffsend pastebinit wgetpaste fpaste dcut transfer onionshare-cli', handsOver),
  ...rows('gnutls-cli', encrypted),
  ...rows('lynx w3m links elinks browsh', textBrowser),
  ...rows('mosh et xfreerdp|xfreerdp3|wlfreerdp rdesktop vncviewer remmina', otherScreen),
];
