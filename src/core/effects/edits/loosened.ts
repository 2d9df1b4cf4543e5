import { mark, shownNames, type Finding, type Sides } from './finding.js';
import { isProse, isTest } from './lostChecks.js';

/** A setting of safety that is known by both of its values. */
interface Setting {
  readonly what: string;
  /** Files it belongs to; any where it is left out on purpose: its name says enough. */
  readonly file: RegExp;
  readonly strict: RegExp;
  readonly loose: RegExp;
}

const ANY = /./;

/** Two values of one setting behind its name: `name: true`, `name = True`, `"name": true`, `name on;`. */
const pair = (names: string, strict: string, loose: string): Pick<Setting, 'strict' | 'loose'> => ({
  strict: new RegExp(`\\b(?:${names})['"]?\\]?\\s*(?:=>|[:=]|\\s)\\s*['"]?(?:${strict})\\b`, 'g'),
  loose: new RegExp(`\\b(?:${names})['"]?\\]?\\s*(?:=>|[:=]|\\s)\\s*['"]?(?:${loose})\\b`, 'g'),
});

const YES = 'true|True|TRUE|on|yes';
const NO = 'false|False|FALSE|off|no';

/** Sources: references of Django 5, Rails 8, Express 5, nginx, Kubernetes 1.32, OpenSSH 9.9, Helmet 8. */
const SETTINGS: readonly Setting[] = [
  {
    what: 'connections need no longer be encrypted',
    file: ANY,
    ...pair(
      'SECURE_SSL_REDIRECT|SESSION_COOKIE_SECURE|CSRF_COOKIE_SECURE|SESSION_COOKIE_HTTPONLY|force_ssl|forceSSL|requireTLS|require_tls|require_secure_transport|require_ssl|enforce_https|httpsOnly|https_only|rds\\.force_ssl|transit_encryption_enabled|storage_encrypted|enable_https_traffic_only',
      YES,
      NO,
    ),
  },
  {
    what: 'cookies can be read by scripts, or go unencrypted',
    file: ANY,
    ...pair('httpOnly|http_only|cookie_secure|cookie_httponly', YES, NO),
  },
  {
    what: 'certificates of the other side are no longer checked',
    file: ANY,
    ...pair(
      'ssl_verify_client|proxy_ssl_verify|grpc_ssl_verify|uwsgi_ssl_verify|verify_server_cert',
      YES,
      `${NO}|optional_no_ca`,
    ),
  },
  {
    what: 'a container has more rights than before',
    file: /\.(?:ya?ml|json|tf|hcl|tpl)$/i,
    ...pair('runAsNonRoot|run_as_non_root|readOnlyRootFilesystem|read_only_root_filesystem', YES, NO),
  },
  {
    what: 'a container may become more than it is',
    file: /\.(?:ya?ml|json|tf|hcl|tpl)$/i,
    ...pair('allowPrivilegeEscalation|allow_privilege_escalation|privileged|hostNetwork|hostPID|hostIPC', NO, YES),
  },
  {
    what: 'more people can log in',
    file: /sshd?_config|\.(?:conf|cfg|j2|ya?ml)$/i,
    ...pair(
      'PasswordAuthentication|PermitRootLogin|PermitEmptyPasswords|KbdInteractiveAuthentication',
      `${NO}|prohibit-password`,
      YES,
    ),
  },
];

/** What is loose by itself, whatever stood there before. */
const LOOSE: readonly Pick<Setting, 'what' | 'file' | 'loose'>[] = [
  {
    what: 'a container has all rights of the machine',
    // A compose file is read as what it is, in `machines.ts`.
    file: /^(?!.*compose[\w.-]*\.ya?ml$).*\.ya?ml$/i,
    loose: /^\s*(?:-\s+)?(?:privileged|hostPID|hostIPC)\s*:\s*true\b/gm,
  },
  {
    what: 'whoever connects is let into the database without a password',
    file: /pg_hba[\w.-]*$|my\.cnf$|mysqld?\.cnf$/i,
    loose: /^\s*(?:host\w*|local)\s+.*\btrust\b|^\s*skip[-_]grant[-_]tables\b/gm,
  },
  {
    what: 'every site may ask in the name of whoever is logged in',
    file: ANY,
    loose:
      /\borigin\s*:\s*(?:true|['"`]\*['"`])[^{}]{0,200}\bcredentials\s*:\s*true|\bcredentials\s*:\s*true[^{}]{0,200}\borigin\s*:\s*(?:true|['"`]\*['"`])|\ballow_origins\s*=\s*\[\s*['"]\*['"]\s*\][^()]{0,200}\ballow_credentials\s*=\s*True|\bCORS_(?:ORIGIN_)?ALLOW_ALL(?:_ORIGINS)?\s*=\s*True\b/g,
  },
  {
    what: 'pages may load and run what they like',
    file: ANY,
    loose:
      /\bcontentSecurityPolicy\s*:\s*false\b|\bhelmet\(\s*false\s*\)|\bcontent_security_policy\s*=\s*(?:nil|false)\b/g,
  },
];

const countOf = (form: RegExp, text: string): number => [...text.matchAll(form)].length;

/** Middleware by whose name one can tell that it checks: lists of classes, and `app.use(…)`. */
const MIDDLEWARE =
  /\b[\w.]*(?:Csrf\w*|XFrameOptions|Authentication|Authorization|RateLimit\w*|Throttle\w*)Middleware\b|\b(?:app|router|server|api|fastify|r|e)\.(?:use|register|Use)\(\s*(?:helmet|csurf|csrf\w*|rateLimit\w*|limiter|auth\w*|require\w*|authenticate\w*|authorize\w*|passport\.\w+|ensure\w*|verify\w*|jwt\w*)\b/g;

/** Middleware that is gone while others of its list are still there. */
function lostMiddleware(before: string, after: string): readonly string[] {
  const left = new Map<string, number>();
  for (const [name] of after.matchAll(MIDDLEWARE)) left.set(name, (left.get(name) ?? 0) + 1);
  const old = [...before.matchAll(MIDDLEWARE)].map(([name]) => name);
  const gone = old.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
  const isNewInstead = [...after.matchAll(MIDDLEWARE)].length >= old.length;
  return isNewInstead || after.trim() === '' ? [] : gone;
}

/** Calls that say whether a password, token or signature is right. */
const CHECKING =
  /\b(?:bcrypt(?:js)?\.compare(?:Sync)?|argon2\.verify|scrypt\.verify|password_verify|check_password(?:_hash)?|checkpw|verify_password|verifyPassword|CompareHashAndPassword|compare_digest|timingSafeEqual|secure_compare|hash_equals|constant_time_compare|ConstantTimeCompare|(?:verify|check|validate|is_?valid)_?(?:signature|token|hmac|otp|totp|mfa|webhook|password|license)\w*|(?:is_?)(?:admin|authorized|authenticated|owner)|has_?(?:permission|role|access)\w*|can_?access\w*)\s*\(/i;
const ALWAYS = /^(?:await\s+)?(?:Promise\.resolve\(\s*)?(?:true|True|1|nil)\s*(?:\)\s*)?[;,]?$/;
const NAMED =
  /^\s*(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|protected\s+|static\s+|async\s+)*(?:function|def|fn|func|const|let|var|fun|boolean|bool)?\s*(?:self\.)?(\w*(?:is_?(?:admin|auth\w*|allowed|owner)|has_?(?:permission|role|access)|can_?(?:access|edit|delete|view)|(?:check|verify|validate)_?(?:permission|auth|access|token|signature|password|role|session|license)|authorize[ds]?|authenticate[ds]?)\w*)\s*[=(:?]/i;

/** Left side and value of an assignment or `return` on one line. */
const sidesOfLine = (line: string): readonly [string, string] => {
  const [, left = '', right = line] = /^(.*?(?:=>|[^=!<>]=(?!=)|\breturn\b))\s*(.*)$/.exec(line) ?? [];
  return [left.replace(/\s+/g, ' ').trim(), right.trim()];
};

/** The first line of what a named check answers: what stands behind `=>`, or in its body. */
function answersOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n');
  const answers = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const name = line.length < 300 ? NAMED.exec(line)?.[1] : undefined;
    if (name === undefined) continue;
    const inline = /=>\s*([^{].*)$|\{\s*return\s+([^;}]*);?\s*\}\s*;?$/.exec(line);
    const next =
      lines.slice(at + 1, at + 4).find((one) => one.trim() !== '' && !/^\s*(?:\/\/|#|"""|\{)/.test(one)) ?? '';
    const answer = inline ? (inline[1] ?? inline[2] ?? '') : /^\s*(?:return\s+)(.*)$/.exec(next)?.[1];
    answers.set(name, (answer ?? next).trim());
  }
  return answers;
}

/** Checks that answer yes whatever they are asked, and did not before. */
function alwaysYes(before: string, after: string): readonly string[] {
  const found: string[] = [];
  const asked = new Map(
    before
      .split('\n')
      .filter((line) => line.length < 300)
      .map(sidesOfLine)
      .filter(([, right]) => CHECKING.test(right)),
  );
  if (asked.size > 0)
    for (const line of after.split('\n')) {
      const [left, right] = sidesOfLine(line);
      if (asked.has(left) && ALWAYS.test(right)) found.push(CHECKING.exec(asked.get(left) ?? '')?.[0] ?? left);
    }
  const now = answersOf(after);
  for (const [name, answer] of answersOf(before))
    if (!ALWAYS.test(answer) && ALWAYS.test(now.get(name) ?? '')) found.push(name);
  return found;
}

/** `jwt.verify` that becomes `jwt.decode`: in JavaScript's libraries the latter looks at no signature. Sources: jsonwebtoken 9, jose 5. */
const SCRIPTS = /\.[cm]?[jt]sx?$/;
const VERIFIES = /\b(?:jwt|jsonwebtoken|jose|JWT)\.verify\(|\bjwtVerify\(/g;
const DECODES = /\b(?:jwt|jsonwebtoken|jose|JWT)\.decode\(|\b(?:decodeJwt|jwtDecode|jwt_decode)\(/g;

/** Who has to agree to a change: lines of a file of owners that are gone, or name others. */
const OWNERS = /\/codeowners$/i;
const lostOwners = (before: string, after: string): boolean => {
  const lines = new Set(after.split('\n').map((line) => line.trim()));
  return before.split('\n').some((line) => /^\s*[^#\s]/.test(line) && !lines.has(line.trim()));
};

/**
 * Settings of safety that a change loosens, middleware that it takes out, checks that it makes answer yes, and owners that it takes
 * away. A setting counts where its strict value goes and its loose one comes. Tests and prose are left out. Linear.
 */
export function loosened(sides: Sides): readonly Finding[] {
  if (isProse(sides) || isTest(sides)) return [];
  const { before, after, path } = sides;
  const findings = SETTINGS.filter(
    ({ file, strict, loose }) =>
      file.test(path) &&
      countOf(loose, after) > countOf(loose, before) &&
      countOf(strict, after) < countOf(strict, before),
  ).map(({ what }) => mark('removes-check', what));
  for (const { what, file, loose } of LOOSE)
    if (file.test(path) && countOf(loose, after) > countOf(loose, before)) findings.push(mark('removes-check', what));
  if (before === '') return findings;
  const middleware = lostMiddleware(before, after);
  if (middleware.length > 0) findings.push(mark('removes-check', `takes a check away: ${shownNames(middleware)}`));
  const yes = alwaysYes(before, after);
  if (yes.length > 0) findings.push(mark('removes-check', `always says yes: ${shownNames(yes)}`));
  if (
    SCRIPTS.test(path) &&
    countOf(VERIFIES, after) < countOf(VERIFIES, before) &&
    countOf(DECODES, after) > countOf(DECODES, before)
  )
    findings.push(mark('removes-check', 'signatures are no longer checked'));
  if (OWNERS.test(path) && lostOwners(before, after))
    findings.push(mark('removes-check', 'changes who has to agree to changes'));
  return findings;
}
