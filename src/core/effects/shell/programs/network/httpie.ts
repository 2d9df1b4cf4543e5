import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, asksForHelp, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';
import { request, withScheme } from './request.js';

/** Source: HTTPie 3.2 and xh 0.23. */
const HTTPIE: OptionSpec = {
  flags:
    '-j|--json -f|--form --multipart -x|--compress -v|--verbose -h|--headers -b|--body -m|--meta -d|--download -c|--continue -q|--quiet -F|--follow -I|--ignore-stdin -S|--stream -4 -6 --all --check-status --offline --debug --traceback --path-as-is --chunked --https --ignore-netrc --curl',
  values:
    '-p|--print -P|--history-print -o|--output -a|--auth -A|--auth-type -s|--style --pretty --session --session-read-only --proxy --verify --ssl --cert --cert-key --timeout --max-redirects --max-headers --boundary --raw --response-charset --response-mime --format-options --default-scheme --unix-socket --http-version --interface --resolve',
  abbreviates: true,
  negates: true,
};

const METHOD = /^[A-Z]{3,10}$/;

/** `http [METHOD] URL [ITEM…]`: items with `=` are data, with `@` files, with `:` headers, with `==` query. */
function httpie(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (asksForHelp(words.slice(0, 1))) return;
  const parsed = parseOptions(HTTPIE, words);
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of http`);
  const operands = [...parsed.operands];
  const stated = operands[0] && METHOD.test(operands[0].text) ? operands.shift()?.text : undefined;
  const url = operands.shift();
  if (!url || parsed.has('--offline')) return;
  let sendsData = false;
  let body = parsed.value('--raw')?.text ?? '';
  for (const item of operands) {
    const file = /^[^=:@]*(?::?=)?@(.+)$/s.exec(item.text)?.[1];
    if (file !== undefined) {
      run.read(withText(item, file.replace(/;.*$/s, '')));
      sendsData = true;
    } else if (/^[^:=]*:?=[^=]/.test(item.text)) {
      body += ` ${item.text}`;
      sendsData ||= item.certainty === 'dynamic';
    }
  }
  const { input } = run.invocation;
  if (input.type !== 'none' && !parsed.has('-I')) {
    if (input.type === 'text') body += input.text;
    else sendsData = true;
  }
  const method = stated ?? (body !== '' || sendsData ? 'POST' : 'GET');
  request(run, { url: ownMachine(url), method, body, sendsData });
  for (const proxy of parsed.values('--proxy')) {
    run.network(withScheme(withText(proxy, proxy.text.replace(/^\w+:(?=\w+:)/, ''))), {
      method: 'CONNECT',
      note: 'the connection really goes there',
    });
  }
  const output = parsed.value('-o');
  if (output) run.write(output, { traits: ['download'] });
  else if (parsed.has('-d')) run.write(exactWord('.'), { traits: ['download'], certainty: 'dynamic' });
}

/** `:9200/x` is port 9200 of this machine. */
const ownMachine = (url: Word): Word =>
  /^:\d*(\/|$)/.test(url.text) ? withText(url, `http://localhost${url.text.replace(/^:(?=\/|$)/, '')}`) : url;

export const httpiePrograms: readonly ProgramEntry[] = rows('http|https xh|xhs', httpie);
