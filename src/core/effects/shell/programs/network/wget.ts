import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { dynamicWord } from '../../word.js';
import { argumentsOf, inFolder, isHelpOnly, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';
import { request, withScheme } from './request.js';

/** Source: GNU wget 1.24 manual, "Invoking". `-nc`, `-nd` and kin are clusters that begin with `n`. */
const WGET: OptionSpec = {
  flags:
    '-V|--version -h|--help -b|--background -d|--debug -q|--quiet -v|--verbose -nv|--no-verbose -F|--force-html -nc|--no-clobber -c|--continue -N|--timestamping -S|--server-response -nd|--no-directories -x|--force-directories -nH|--no-host-directories -E|--adjust-extension -r|--recursive -k|--convert-links -K|--backup-converted -m|--mirror -p|--page-requisites -H|--span-hosts -L|--relative -np|--no-parent -4|--inet4-only -6|--inet6-only --show-progress --spider --no-check-certificate --delete-after --content-disposition --trust-server-names --no-dns-cache --no-cookies --no-proxy --no-cache --no-http-keep-alive --no-hsts --no-netrc --no-glob --no-passive-ftp --no-iri --ignore-case --ignore-length --save-headers --content-on-error --auth-no-challenge --https-only --strict-comments --follow-ftp --no-config --rejected-log-off --random-wait --no-if-modified-since --no-use-server-timestamps --retry-connrefused --preserve-permissions --protocol-directories --no-remove-listing --xattr --keep-session-cookies --metalink-over-http --method-none --unlink --retr-symlinks',
  values:
    '-e|--execute -o|--output-file -a|--append-output -i|--input-file -B|--base -t|--tries -O|--output-document -T|--timeout -w|--wait -Q|--quota -P|--directory-prefix -U|--user-agent -l|--level -A|--accept -R|--reject -D|--domains -I|--include-directories -X|--exclude-directories --accept-regex --reject-regex --regex-type --exclude-domains --follow-tags --ignore-tags --config --rejected-log --start-pos --progress --report-speed --dns-timeout --connect-timeout --read-timeout --limit-rate --waitretry --bind-address --cut-dirs --default-page --http-user --http-password --user --password --proxy-user --proxy-password --referer --header --load-cookies --save-cookies --post-data --post-file --method --body-data --body-file --certificate --certificate-type --private-key --private-key-type --ca-certificate --ca-directory --crl-file --pinnedpubkey --random-file --egd-file --secure-protocol --ciphers --hsts-file --ftp-user --ftp-password --warc-file --warc-header --warc-tempdir --max-redirect --compression --backups --restrict-file-names --local-encoding --remote-encoding --prefer-family --use-askpass --retry-on-http-error --retry-on-host-error --input-metalink --metalink-index --preferred-location',
  abbreviates: true,
};

/** `wget`: downloads into files, and sends where it is told to. */
function wget(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(WGET, words);
  if (parsed.has('-V') || (parsed.has('-h') && isHelpOnly(words.slice(0, 1)))) return;
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of wget`);
  const sent: Word[] = [...parsed.values('--post-file'), ...parsed.values('--body-file')];
  for (const file of sent) run.read(file);
  for (const name of ['--load-cookies', '--certificate', '--private-key', '--ca-certificate']) {
    const file = parsed.value(name);
    if (file) run.read(file);
  }
  for (const name of ['-o', '-a', '--save-cookies', '--rejected-log', '--warc-file', '--hsts-file']) {
    const file = parsed.value(name);
    if (file && file.text !== '-' && file.text !== '/dev/null')
      run.write(file, name === '-a' ? { traits: ['append'] } : {});
  }
  for (const setting of parsed.values('-e')) obey(run, setting);
  const askpass = parsed.value('--use-askpass');
  if (askpass) run.carry([askpass]);
  if (parsed.has('--config')) run.unknown('a file of settings for wget');
  const list = parsed.value('-i');
  if (list && list.text !== '-') run.read(list);
  if (list) run.unknown('a file of addresses for wget');
  const data = parsed.value('--post-data', '--body-data');
  const method =
    parsed.value('--method')?.text ??
    (parsed.has('--post-data', '--post-file') ? 'POST' : parsed.has('--spider') ? 'HEAD' : 'GET');
  for (const url of parsed.operands) {
    request(run, { url, method, body: data?.text ?? '', sendsData: sent.length > 0 || data?.certainty === 'dynamic' });
  }
  const output = parsed.value('-O');
  if (output) {
    if (output.text !== '-' && output.text !== '/dev/stdout') run.write(output, { traits: ['download'] });
    return;
  }
  if (parsed.has('--spider')) return;
  const folder = parsed.value('-P');
  for (const url of parsed.operands) {
    const name = /[^/]\/([^/?#]+)$/.exec(withScheme(url).text.replace(/^[a-z]+:\/\//i, ''))?.[1];
    const file =
      parsed.has('-r', '-m', '-p') || parsed.has('--content-disposition')
        ? dynamicWord('names that the server gives')
        : withText(url, name ?? 'index.html');
    run.write(inFolder(folder, file), { traits: ['download'] });
  }
}

/** `-e key=value` is a line of .wgetrc. Source: wget manual, "Wgetrc Commands". */
function obey(run: Run, setting: Word): void {
  const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*)$/s.exec(setting.text) ?? [];
  const name = key.toLowerCase().replace(/[-_]/g, '');
  if (/^(https?|ftp)proxy$/.test(name))
    run.network(withScheme(withText(setting, value)), { method: 'CONNECT', note: 'the connection really goes there' });
  else if (name === 'useaskpass') run.carry([withText(setting, value)]);
  else if (/^(postfile|bodyfile)$/.test(name)) run.read(withText(setting, value));
  else if (/^(outputdocument|logfile|savecookies)$/.test(name)) run.write(withText(setting, value));
  else if (
    !/^(robots|useproxy|tries|timeout|wait|randomwait|useragent|header|progress|continue|quiet|verbose|checkcertificate|recursive|level)$/.test(
      name,
    )
  ) {
    run.unknown(`setting ${setting.text} of wget`);
  }
}

export const wgetPrograms: readonly ProgramEntry[] = [{ names: ['wget', 'wget2'], analyse: wget }];
