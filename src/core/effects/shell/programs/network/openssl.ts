import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** Options that take a value, over all sub-commands. Source: openssl(1) 3.4. */
const OPENSSL: OptionSpec = {
  style: 'single',
  values:
    '-in -out -inkey -key -keyout -CAkey -CA -CAfile -CApath -CAserial -signkey -sign -verify -prverify -signature -cert -certfile -pubin_file -config -extfile -extensions -newkey -subj -days -set_serial -passin -passout -pass -k -K -kfile -iv -S -iter -md -connect -proxy -host -port -accept -servername -engine -provider -provider-path -propquery -rand -writerand -name -caname -inform -outform -keyform -certform -content -recip -signer -oaep -pkeyopt -algorithm -paramfile -peerkey -sigfile -starttls -bind -unix -alpn -nextprotoneg -ciphers -ciphersuites -msgfile -sess_out -sess_in -keylogfile -early_data -url -issuer -serial -respout -reqin -respin -macopt -mac -hmac -addext -section -bufsize -multivalue-rdn -crlfile -purpose -attime -checkhost -name_opt -c -a -www',
  flags:
    '-noout -text -d -e -a -base64 -pbkdf2 -nodes -noenc -x509 -new -nocerts -nokeys -salt -showcerts -brief -quiet -verify_quiet -export -pubout -pubin -modulus -subject -dates -enddate -startdate -issuer_hash -hash -fingerprint -sha256 -sha512 -sha1 -md5 -hex -binary -r',
};

/** Files that a sub-command reads and writes, and whom `s_client` and kin connect to. */
function openssl(run: Run): void {
  const [verb, ...rest] = argumentsOf(run.invocation);
  if (!verb) return;
  const parsed = parseOptions(OPENSSL, rest);
  // What these look at is a certificate or request, whatever its file is called; a key is named by an option of its own.
  const isPublic = /^(?:x509|verify|crl|req|ocsp)$/.test(verb.text) || parsed.has('-pubin', '-certin');
  const readPublic = (file: Word): void => {
    if (isPublic && /\.(?:pem|crt|cer|csr|der)$/i.test(file.text) && !/key|priv/i.test(file.text)) run.list(file);
    else run.read(file);
  };
  for (const name of [
    '-in',
    '-inkey',
    '-key',
    '-CAkey',
    '-signkey',
    '-sign',
    '-cert',
    '-certfile',
    '-extfile',
    '-kfile',
    '-content',
    '-recip',
    '-signer',
    '-sigfile',
    '-peerkey',
    '-verify',
    '-prverify',
    '-signature',
    '-sess_in',
  ]) {
    for (const file of parsed.values(name)) if (!/^(\d+|-)$/.test(file.text)) readPublic(file);
  }
  for (const name of ['-out', '-keyout', '-sess_out', '-keylogfile', '-writerand', '-respout', '-msgfile']) {
    for (const file of parsed.values(name)) if (file.text !== '-') run.write(file);
  }
  for (const name of ['-pass', '-passin', '-passout']) {
    for (const source of parsed.values(name)) {
      const file = /^file:(.+)$/s.exec(source.text)?.[1];
      if (file) run.read(withText(source, file));
    }
  }
  for (const name of ['-engine', '-provider', '-provider-path', '-config']) {
    const library = parsed.value(name);
    if (library && /[/\\.]/.test(library.text))
      run.emit(
        'execute',
        { type: 'process', process: library.text },
        { traits: ['covert', 'unreviewed'], note: 'openssl loads it' },
      );
  }
  if (/^(s_client|s_time|ocsp)$/.test(verb.text)) {
    const target = parsed.value('-connect', '-url', '-host') ?? parsed.operands[0];
    const sends = run.invocation.input.type !== 'none';
    if (target) run.network(target, { traits: sends ? ['download', 'upload'] : ['download'] });
    const proxy = parsed.value('-proxy');
    if (proxy) run.network(proxy, { method: 'CONNECT' });
  } else if (verb.text === 's_server') {
    run.network(exactWord(`0.0.0.0:${parsed.value('-accept', '-port')?.text ?? '4433'}`), {
      method: 'LISTEN',
      traits: ['publish', 'outward'],
    });
  } else if (
    /^(dgst|enc|md5|sha\d+|rsa|pkey|x509|req|base64|cms|smime|pkcs12|verify|asn1parse|crl|pkcs8|ec)$/.test(verb.text)
  ) {
    for (const file of parsed.operands) readPublic(file);
  }
}

export const opensslPrograms: readonly ProgramEntry[] = rows('openssl|libressl', openssl);
