import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { dynamicWord, exactWord } from '../../word.js';
import { argumentsOf, inFolder, isHelpOnly, remote, variableOf, withText } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { request, withScheme } from './request.js';

/** Source: curl(1) 8.11. */
const CURL: OptionSpec = {
  flags:
    '-0|--http1.0 -1|--tlsv1 -2|--sslv2 -3|--sslv3 -4|--ipv4 -6|--ipv6 -a|--append -B|--use-ascii -f|--fail -g|--globoff -G|--get -i|--include|--show-headers -I|--head -j|--junk-session-cookies -J|--remote-header-name -k|--insecure -l|--list-only -L|--location -M|--manual -n|--netrc -N|--no-buffer -O|--remote-name -p|--proxytunnel -q|--disable -R|--remote-time -s|--silent -S|--show-error -v|--verbose -V|--version -Z|--parallel -#|--progress-bar -:|--next --anyauth --basic --digest --ntlm --negotiate --compressed --compressed-ssh --create-dirs --crlf --digest --disable-eprt --disable-epsv --doh-insecure --fail-early --fail-with-body --false-start --form-escape --ftp-create-dirs --ftp-pasv --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control --haproxy-protocol --http0.9 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length --location-trusted --mail-rcpt-allowfails --metalink --mptcp --netrc-optional --no-alpn --no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --parallel-immediate --path-as-is --post301 --post302 --post303 --proxy-anyauth --proxy-basic --proxy-digest --proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tlsv1 --raw --remote-name-all --remove-on-error --retry-all-errors --retry-connrefused --sasl-ir --skip-existing --socks5-basic --socks5-gssapi --socks5-gssapi-nec --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options --tls-earlydata --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-ids --trace-time --xattr --no-location --no-silent --no-fail',
  values:
    '-A|--user-agent -b|--cookie -c|--cookie-jar -C|--continue-at -d|--data|--data-ascii --data-binary --data-raw --data-urlencode -D|--dump-header -e|--referer -E|--cert -F|--form --form-string -H|--header -K|--config -m|--max-time -o|--output -P|--ftp-port -Q|--quote -r|--range -t|--telnet-option -T|--upload-file -u|--user -U|--proxy-user -w|--write-out -x|--proxy -X|--request -y|--speed-time -Y|--speed-limit -z|--time-cond --abstract-unix-socket --alt-svc --aws-sigv4 --cacert --capath --cert-type --ciphers --connect-timeout --connect-to --crlfile --curves --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url --ech --egd-file --engine --etag-compare --etag-save --expect100-timeout --ftp-account --ftp-alternative-to-user --ftp-method --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --haproxy-clientip --hostpubmd5 --hostpubsha256 --hsts --interface --ip-tos --ipfs-gateway --json --keepalive-cnt --keepalive-time --key --key-type --krb --libcurl --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --netrc-file --noproxy --oauth2-bearer --output-dir --parallel-max --pass --pinnedpubkey --preproxy --proto --proto-default --proto-redir --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --proxy1.0 --pubkey --random-file --rate --request-target --resolve --retry --retry-delay --retry-max-time --sasl-authzid --service-name --socks4 --socks4a --socks5 --socks5-hostname --speed-limit --speed-time --stderr --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace --trace-ascii --trace-config --unix-socket --url --url-query --variable --vlan-priority',
  optional: '-h|--help',
  abbreviates: true,
  negates: true,
};

/** Data of `-d` and its kin: what is known of it, and whether it comes from a file, from input, or from something unknown. */
interface Body {
  readonly text: string;
  readonly sendsData: boolean;
}

/** Reads the file that a value names after `@`; `@-` is standard input. */
function takeFile(run: Run, value: Word, from: number): Body {
  const file = withText(value, value.text.slice(from));
  if (file.text === '-') {
    const { input } = run.invocation;
    return input.type === 'text'
      ? { text: input.text, sendsData: input.certainty !== 'exact' }
      : { text: '', sendsData: true };
  }
  run.read(file);
  return { text: '', sendsData: true };
}

function bodyOf(run: Run, parsed: ParsedOptions): Body | null {
  const parts: Body[] = [];
  for (const { name, value } of parsed.options) {
    if (!value) continue;
    if (name === '-d' || name === '--data-binary' || name === '--json') {
      parts.push(value.text.startsWith('@') ? takeFile(run, value, 1) : literal(value));
    } else if (name === '--data-raw' || name === '--form-string') parts.push(literal(value));
    else if (name === '--data-urlencode' || name === '--url-query') {
      const at = /^[^=@]*@/.exec(value.text)?.[0].length ?? 0;
      parts.push(at > 0 ? takeFile(run, value, at) : literal(value));
    } else if (name === '-F') {
      const at = /^[^=]*=[@<]/.exec(value.text)?.[0].length ?? 0;
      for (const file of at > 0 ? value.text.slice(at).split(',') : []) {
        parts.push(takeFile(run, withText(value, file.replace(/;.*$/s, '').replace(/^"|"$/g, '')), 0));
      }
      if (at === 0) parts.push(literal(value));
    }
  }
  return parts.length === 0
    ? null
    : { text: parts.map(({ text }) => text).join('&'), sendsData: parts.some(({ sendsData }) => sendsData) };
}

const literal = (value: Word): Body => ({ text: value.text, sendsData: value.certainty === 'dynamic' });

/** Files that curl writes besides the answer, and those it takes as credentials or settings. */
function sideFiles(run: Run, parsed: ParsedOptions): void {
  for (const name of [
    '-c',
    '-D',
    '--trace',
    '--trace-ascii',
    '--stderr',
    '--libcurl',
    '--etag-save',
    '--hsts',
    '--alt-svc',
  ]) {
    const file = parsed.value(name);
    if (file && file.text !== '-' && file.text !== '%' && file.text !== '') run.write(file);
  }
  for (const name of [
    '-E',
    '--key',
    '--netrc-file',
    '--etag-compare',
    '--cacert',
    '--proxy-cert',
    '--proxy-key',
    '--pubkey',
  ]) {
    const file = parsed.value(name);
    if (file) run.read(withText(file, file.text.replace(/^([^:]*):.*$/s, '$1')));
  }
  const cookies = parsed.value('-b');
  if (cookies && cookies.text !== '' && !cookies.text.includes('=')) run.read(cookies);
  if (parsed.has('-n')) run.read(exactWord(`${run.facts.home}/.netrc`));
  const settings = parsed.value('-K');
  if (settings) {
    if (settings.text !== '-') run.read(settings);
    run.unknown('a file of options for curl');
  }
  for (const header of [...parsed.values('-H'), ...parsed.values('--proxy-header')]) {
    if (header.text.startsWith('@') && header.text !== '@-') run.read(withText(header, header.text.slice(1)));
  }
  for (const variable of parsed.values('--variable')) {
    const file = /^[^=@]*@(.+)$/s.exec(variable.text)?.[1];
    if (file && file !== '-') run.read(withText(variable, file));
  }
}

/** Where the connection really goes, when that is not what the URL says. */
function detours(run: Run, parsed: ParsedOptions): void {
  const reach = (word: Word): void =>
    run.network(word, { method: 'CONNECT', note: 'the connection really goes there' });
  for (const route of parsed.values('--connect-to')) {
    const [, , host = '', port = ''] = splitRoute(route.text);
    if (host !== '') reach(withText(route, `${host}${port === '' ? '' : `:${port}`}`));
  }
  for (const route of parsed.values('--resolve')) {
    const addresses = /^[+-]?[^:]*:[^:]*:(.*)$/s.exec(route.text)?.[1];
    for (const address of addresses?.split(',') ?? [])
      if (address !== '') reach(withText(route, address.replace(/^\[|\]$/g, '')));
  }
  for (const name of [
    '-x',
    '--preproxy',
    '--socks4',
    '--socks4a',
    '--socks5',
    '--socks5-hostname',
    '--proxy1.0',
    '--doh-url',
    '--ipfs-gateway',
  ]) {
    const proxy = parsed.value(name);
    if (proxy && proxy.text !== '') reach(withScheme(proxy));
  }
}

/** Sockets of engines that run containers, by the name that their command line has. */
const ENGINE = /(?:^|\/)(docker|podman|containerd)(?:[.-][\w.-]*)?\.sock$/;

/** A request through a socket: what it asks of the service behind it. Only asking an engine is what `docker ps` does. */
function throughSocket(run: Run, parsed: ParsedOptions, url: Word | undefined, method: string): void {
  const socket = parsed.value('--unix-socket') ?? parsed.value('--abstract-unix-socket');
  if (!socket) return;
  const engine = ENGINE.exec(socket.text)?.[1];
  const path = url?.text.replace(/^[a-z]+:\/\//i, '').replace(/^[^/]*/, '') ?? '';
  const asks = /^(?:GET|HEAD|OPTIONS)$/.test(method) && !/\/(?:archive|export|get)(?:\?|$)|\/secrets\//.test(path);
  if (engine !== undefined && asks && socket.certainty === 'exact') run.list(socket);
  else run.write(socket, { traits: ['edit'], note: 'speaks to the service behind the socket' });
  if (engine === undefined) return;
  const name = url ? withText(url, path) : null;
  remote(
    run,
    asks ? 'read' : method === 'DELETE' || /\/(?:prune|kill|stop)(?:\?|$)/.test(path) ? 'delete' : 'write',
    engine,
    name,
  );
}

/** `HOST1:PORT1:HOST2:PORT2`, with IPv6 addresses in brackets. */
const splitRoute = (text: string): readonly string[] =>
  [...text.matchAll(/(\[[^\]]*\]|[^:]*)(?::|$)/g)].map(([, part]) => part ?? '');

/** Proxies that the environment of the command names. */
function environmentProxy(run: Run): void {
  for (const name of ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']) {
    const proxy = run.invocation.assignments.get(name) ?? variableOf(run, name);
    if (proxy && proxy.text !== '')
      run.network(withScheme(proxy), { method: 'CONNECT', note: 'the connection really goes there' });
  }
}

function answers(run: Run, parsed: ParsedOptions, urls: readonly Word[]): void {
  const folder = parsed.value('--output-dir');
  for (const file of parsed.values('-o'))
    if (file.text !== '-') run.write(inFolder(folder, file), { traits: ['download'] });
  if (!parsed.has('-O', '--remote-name-all')) return;
  for (const url of urls) {
    const name = /\/([^/?#]+)(?:[?#].*)?$/s.exec(url.text.replace(/^[a-z]+:\/\//i, ''))?.[1];
    const isNamed = name !== undefined && url.certainty === 'exact' && !parsed.has('-J');
    run.write(inFolder(folder, isNamed ? withText(url, name) : dynamicWord('name that the server gives')), {
      traits: ['download'],
    });
  }
}

/** `curl`: every URL is a request; data, files, cookies, proxies and where the answer goes. */
function curl(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(CURL, words);
  if (parsed.has('-V', '-M') || (parsed.has('-h') && isHelpOnly(words.slice(0, 1)))) return;
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of curl`);
  const urls = [...parsed.values('--url'), ...parsed.operands];
  sideFiles(run, parsed);
  detours(run, parsed);
  environmentProxy(run);
  const body = bodyOf(run, parsed);
  const upload = parsed.value('-T');
  let sendsData = body?.sendsData ?? false;
  if (upload) {
    sendsData = true;
    if (upload.text !== '-' && upload.text !== '.') run.read(upload);
  }
  const method =
    parsed.value('-X')?.text ??
    (parsed.has('-I') ? 'HEAD' : upload ? 'PUT' : body === null || parsed.has('-G') ? 'GET' : 'POST');
  throughSocket(run, parsed, urls[0], method.toUpperCase());
  for (const url of urls) {
    if (url.text.startsWith('@') && parsed.values('--url').includes(url)) run.unknown('a file of addresses for curl');
    else request(run, { url: urlOf(url), method, body: body?.text ?? '', sendsData });
  }
  for (const command of parsed.values('-Q')) {
    if (/^[-+]?(DELE|RMD|RNFR|SITE|rm|rmdir|rename|chmod|chown|ln)\b/i.test(command.text)) {
      run.emit('delete', { type: 'remote', service: 'ftp', name: command.text }, { reversible: 'no' });
    }
  }
  answers(run, parsed, urls);
}

/** Curl expands `{a,b}` in a URL itself: where that is in the host, the host is not one. */
function urlOf(url: Word): Word {
  const host = /^(?:[a-z]+:\/\/)?([^/?#]*)/i.exec(url.text)?.[1] ?? '';
  if (!/[{}]/.test(host) || url.certainty === 'dynamic') return url;
  return { ...url, certainty: 'dynamic', text: url.text, raw: `$${url.raw}` };
}

export const curlPrograms: readonly ProgramEntry[] = [{ names: ['curl', 'curlie'], analyse: curl }];
