import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/**
 * Asks about or knocks at a host. A name that is put together at run time can carry data to whoever answers for the domain,
 * so it counts as an upload.
 */
function ask(run: Run, target: Word, note = ''): void {
  const traits: readonly Trait[] = target.certainty === 'dynamic' ? ['outward', 'upload'] : [];
  run.network(target, {
    traits,
    note: note || (target.certainty === 'dynamic' ? 'the name itself may carry data' : ''),
  });
}

/** Programs whose operands are hosts. */
const asking =
  (spec: OptionSpec, hosts: (operands: readonly Word[]) => readonly Word[] = (operands) => operands.slice(0, 1)) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const parsed = parseOptions(spec, words);
    for (const host of hosts(parsed.operands)) ask(run, host);
  };

/** Source: dig(1) 9.20. `@server` is who is asked, `+option` shapes the question. */
function dig(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ flags: '-4 -6 -i -m -r -u -v -h', values: '-b -c -f -k -p -q -t -x -y' }, words);
  const list = parsed.value('-f');
  if (list) {
    run.read(list);
    run.unknown('a file of names for dig');
  }
  const key = parsed.value('-k');
  if (key) run.read(key);
  for (const word of [...parsed.operands, ...parsed.values('-q'), ...parsed.values('-x')]) {
    if (word.text.startsWith('@')) ask(run, withText(word, word.text.slice(1)), 'the server that is asked');
    else if (
      !/^\+|^(IN|CH|HS|A|AAAA|ANY|AXFR|CAA|CNAME|DNSKEY|DS|HTTPS|MX|NS|PTR|SOA|SRV|SVCB|TLSA|TXT)$/i.test(word.text)
    )
      ask(run, word);
  }
}

/** Source: ping(8) of iputils and BSD. The pattern of `-p` is sent along. */
function ping(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '-3 -4 -6 -a -A -b -B -C -D -f -H -L -n -N -o -O -q -Q -r -R -U -v -V -d',
      values: '-c -e -F -g -G -h -i -I -K -k -l -m -M -p -P -S -s -t -T -w -W -z',
    },
    words,
  );
  const host = parsed.operands.at(-1);
  if (!host) return;
  ask(run, host);
  const pattern = parsed.value('-p');
  if (pattern) run.network(host, { traits: ['outward', 'upload'], note: 'the pattern is sent along' });
}

/** Source: nmap(1) 7.95. */
function nmap(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      style: 'single',
      flags:
        '-sS -sT -sU -sV -sC -sn -sP -sL -sA -sW -sM -sN -sF -sX -sO -O -A -Pn -PE -PP -PM -PR -n -R -F -r -v -vv -d -6 -f -T0 -T1 -T2 -T3 -T4 -T5 -open -reason -packet-trace -iflist -traceroute -system-dns -privileged -unprivileged -script-trace -script-updatedb',
      values:
        '-p -iL -iR -oN -oX -oG -oS -oA -script -script-args -script-args-file -exclude -excludefile -top-ports -port-ratio -D -S -e -g -source-port -proxies -data -data-string -data-length -dns-servers -host-timeout -max-retries -min-rate -max-rate -datadir -resume -stylesheet -version-intensity -mtu -ttl -T',
    },
    words,
  );
  for (const name of ['-oN', '-oX', '-oG', '-oS', '-oA']) {
    const file = parsed.value(name);
    if (file && file.text !== '-') run.write(file);
  }
  for (const name of ['-iL', '-excludefile', '-script-args-file']) {
    const file = parsed.value(name);
    if (file && file.text !== '-') run.read(file);
  }
  for (const script of parsed.values('-script')) {
    if (/[/\\.]/.test(script.text))
      run.emit('execute', { type: 'process', process: script.text }, { traits: ['covert', 'unreviewed'] });
  }
  for (const target of parsed.operands)
    run.network(target, { traits: ['outward'], note: 'looks for open ports', reversible: 'no' });
  if (parsed.has('-iL', '-iR')) run.unknown('a list of hosts for nmap');
}

/** `arp`, `ip neigh`, `netstat`: what this machine knows of the network. */
const looksHere = (): void => undefined;

const HOSTLIKE: OptionSpec = {
  flags: '-4 -6 -a -A -C -d -D -i -l -n -N -r -s -T -v -V -w -h',
  values: '-c -m -p -R -t -W',
};

/** `nsupdate` changes what names of a zone lead to; its commands come by a file or standard input. Source: nsupdate(1), BIND 9.20. */
function nsupdate(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (words.length === 1 && /^-[hVi]$/.test(words[0]?.text ?? '')) return;
  const parsed = parseOptions(
    { flags: '-4 -6 -d -D -g -o -l -P -T -v -i', values: '-L -y -k -t -u -r -R -p -C' },
    words,
  );
  for (const file of [...parsed.operands, ...parsed.values('-k')]) run.read(file);
  const { input } = run.invocation;
  const text = input.type === 'text' ? input.text : '';
  const takes = /^[ \t]*(?:update[ \t]+)?del(?:ete)?\s/m.test(text);
  run.emit(
    takes ? 'delete' : 'write',
    {
      type: 'remote',
      service: 'dns',
      name: /^[ \t]*(?:update[ \t]+)?(?:delete|del|add)[ \t]+(\S+)/m.exec(text)?.[1] ?? 'zone',
    },
    { reversible: 'no', certainty: text === '' ? 'dynamic' : 'exact' },
  );
}

/** What goes over the network of this machine, passwords in the clear among it; or a file of it, with `-r`. */
function sniffs(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words) || words.some(({ text }) => /^(?:-D|--list-interfaces|-L|--version)$/.test(text))) return;
  const parsed = parseOptions({ values: '-i -r -w -c -s -C -G -W -z -Y -f -T -e -F -B -E -y -Z' }, words);
  const file = parsed.value('-r');
  if (file) run.read(file);
  else run.emit('privilege', { type: 'process', process: run.invocation.program }, { note: 'listens to the network' });
  const output = parsed.value('-w');
  if (output && output.text !== '-') run.write(output);
}

export const lookupPrograms: readonly ProgramEntry[] = [
  ...rows('dig|dog|drill|kdig|delv|doggo', dig),
  ...rows(
    'host',
    asking(HOSTLIKE, (operands) => operands),
  ),
  ...rows(
    'nslookup',
    asking({ style: 'single' }, (operands) => operands.filter(({ text }) => text !== '-')),
  ),
  ...rows(
    'whois',
    asking({ values: '-h|--host -p|--port -i -T -t', flags: '-H -a -b -B -r -R' }, (operands) => operands),
  ),
  ...rows('ping|ping6|fping|hping3|gping', ping),
  ...rows(
    'traceroute|traceroute6|tracepath tracert mtr',
    asking({ flags: '-4 -6 -d -F -I -n -r -T -U -e -A -V -b -w', values: '-f -g -i -m -M -N -O -p -P -q -s -t -z -c' }),
  ),
  ...rows('nsupdate', nsupdate),
  ...rows('nmap masscan zmap rustscan', nmap),
  ...rows('tcpdump tshark dumpcap ngrep termshark', sniffs),
  ...rows('netstat ss ifstat iftop nethogs vnstat', looksHere),
];
