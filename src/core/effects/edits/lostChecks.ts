import { mark, shownNames, type Finding, type Sides } from './finding.js';

/** A text in which somebody is told about code, not code: nothing in it is checked or left unchecked. */
const PROSE =
  /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org|tex|html?|svg|po|csv|log|snap|lock)$|^(?:changelog|readme|license|notice)\b/;
/** Where tests live: what they switch off is switched off for the test alone. */
const TESTS =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|testdata|fixtures?|e2e|cypress)\/|[._-](?:test|spec|stories)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|rb|exs)$|Tests?\.(?:java|kt|cs|swift|php)$/;

export const isProse = ({ name }: Sides): boolean => PROSE.test(name);
export const isTest = ({ path }: Sides): boolean => TESTS.test(path);

/** A switch that leaves something unchecked, as it is written in code or settings of many languages. */
interface Switch {
  readonly form: RegExp;
  readonly what: string;
}

/** Sources: the references of the libraries named. `false` and kin stand right behind the name, so prose does not match. */
const SWITCHES: readonly Switch[] = [
  {
    what: 'certificates of other machines are no longer checked',
    form: new RegExp(
      [
        // Python: requests, httpx, aiohttp, ssl, urllib3
        /\bverify\s*=\s*False\b|\bverify_ssl\s*[=:]\s*(?:False|false)\b|\bssl_?verify\s*[=:]\s*(?:False|false|0|no)\b/,
        /\bcheck_hostname\s*=\s*False\b|\bCERT_NONE\b|_create_unverified_context|\bssl\s*=\s*False\b|disable_warnings\(\s*(?:urllib3\.exceptions\.)?InsecureRequestWarning/,
        // Node
        /\brejectUnauthorized['"]?\s*:\s*false\b|\bstrictSSL['"]?\s*:\s*false\b|NODE_TLS_REJECT_UNAUTHORIZED['"]?\]?\s*[=:]\s*['"]?0|\bcheckServerIdentity['"]?\s*:\s*\(\)\s*=>/,
        // Go, Rust, Java, .NET, Ruby, PHP, Dart
        /\bInsecureSkipVerify\s*:\s*true\b|danger_accept_invalid_(?:certs|hostnames)\(\s*true|\bNoopHostnameVerifier\b|ALLOW_ALL_HOSTNAME_VERIFIER|TrustAll(?:Certs|Strategy|Certificates)|InsecureTrustManagerFactory/,
        /DangerousAcceptAnyServerCertificateValidator|ServerCertificate(?:Custom)?ValidationCallback\s*\+?=\s*(?:delegate\s*)?\(?[^;\n]{0,80}(?:=>\s*true|return\s+true)|TrustServerCertificate\s*=\s*True/,
        /\bVERIFY_NONE\b|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*(?:,|=>)\s*(?:false|0|FALSE)\b|['"]verify_peer(?:_name)?['"]\s*=>\s*false|badCertificateCallback\s*=\s*\([^)]*\)\s*=>\s*true/,
        // Settings of tools
        /\bstrict-ssl\s*[=:]\s*false|\bsslVerify\s*=\s*(?:false|0)\b|GIT_SSL_NO_VERIFY\s*[=:]\s*['"]?(?:1|true)|insecure-skip-tls-verify\s*[=:]\s*true|\binsecureSkipVerify\s*:\s*true|\btls_insecure_skip_verify\s*[=:]\s*true|\bssl_verify\s*:\s*false/,
        /\bStrictHostKeyChecking[\s=]+(?:no|off)\b|AutoAddPolicy\(|\bInsecureIgnoreHostKey\(|\bhost_key_checking\s*=\s*False/,
      ]
        .map(({ source }) => source)
        .join('|'),
      'g',
    ),
  },
  {
    what: 'requests forged by other sites are no longer turned away',
    form: /@csrf_exempt\b|csrf_exempt\(|\bskip_before_action\s+:verify_authenticity_token|\bskip_forgery_protection\b|\bcsrf\(\s*\)\s*\.disable\(|\bcsrf\s*\(\s*(?:c(?:srf)?\s*->\s*c(?:srf)?|AbstractHttpConfigurer::)\.?disable|\bcsrf(?:Protection|_protection|Prevention)?['"]?\s*[:=]\s*(?:false|False)\b|\bWTF_CSRF_ENABLED['"]?\]?\s*[=:]\s*False\b|IgnoreAntiforgeryToken/g,
  },
  {
    what: 'signatures are no longer checked',
    form: /['"]?verify_signature['"]?\s*[:=]\s*(?:False|false)\b|\balgorithms?['"]?\s*[:=]\s*\[?\s*['"]none['"]|\bignoreExpiration['"]?\s*:\s*true\b|['"]verify_exp['"]\s*:\s*False\b|\bnpm_config_verify_signatures\s*=\s*false|\bgpgcheck\s*=\s*0\b|\brepo_gpgcheck\s*=\s*0\b|\[\s*trusted\s*=\s*yes\s*\]|\bcommit\.gpgsign\s*=\s*false|--no-verify-signatures?\b|--allow-unauthenticated\b|GONOSUMCHECK\s*=|\bGOFLAGS\s*=\s*['"]?-insecure|\bGONOSUMDB\s*=\s*['"]?\*|\bGOINSECURE\s*=\s*['"]?\*/g,
  },
  {
    what: 'who asks is no longer checked',
    form: /@AllowAnonymous\b|\[AllowAnonymous\]|\bpermission_classes\s*=\s*[[(]\s*(?:permissions\.)?AllowAny\b|@PermitAll\b|\banyRequest\(\)\s*\.permitAll\(|\bskip_before_action\s+:(?:authenticate|authorize|require)\w*|\bskip_authorization_check\b|\bwithout_authorization\b|\b(?:disable|bypass|skip)_?(?:auth|authentication|authorization|authz|permission_checks?)['"]?\s*[=:]\s*(?:true|True|1)\b|\bREQUIRE_AUTH(?:ENTICATION)?['"]?\s*[=:]\s*['"]?(?:false|False|0)\b|\bauth(?:entication)?_?(?:enabled|required)['"]?\s*[=:]\s*(?:false|False)\b/gi,
  },
];

const countOf = (form: RegExp, text: string): number => [...text.matchAll(form)].length;

/** Switches that are thrown more often after the change than before. */
const thrownSwitches = (before: string, after: string): readonly string[] =>
  SWITCHES.filter(({ form }) => countOf(form, after) > countOf(form, before)).map(({ what }) => what);

/** Words by which a check of who may do what goes, in names of functions, decorators, filters and conditions. */
const WHO =
  /\b(?:is_?)?(?:un)?auth(?:enticated?|entication|orized?|orization|orised?|z|n)?\w*|\bis_?(?:admin|staff|superuser|owner|moderator|logged_?in)\b|\b(?:has|check|require|requires|ensure|assert|verify|validate)_?\w*(?:permission|role|scope|access|privilege|login|admin|owner|auth|session|user|token|csrf|signature|hmac|rights?)\w*|\blogin_required\b|\bpermission_required\b|\bcurrent_?user\b|\b(?:PreAuthorize|PostAuthorize|Secured|RolesAllowed|Authorize|UseGuards|Roles|Permissions|RequiresPermissions|RequiresRoles)\b|\bcsrf\w*|\b(?:compare_digest|timingSafeEqual|secure_compare|hash_equals|constant_time_compare|ConstantTimeCompare)\b|\bcan\?|\bGate::|\bpolicy\b/i;

/** What a refused request ends in. */
const REFUSES =
  /\b(?:raise|throw|abort|return|panic!?|exit|die|deny|forbid|reject|redirect(?:_to)?|halt|res(?:ponse)?\.(?:status|sendStatus|redirect)|sendStatus|HttpResponse\w*|http_response_code)\b/;
const REFUSAL =
  /\b(?:40[13])\b|[Ff]orbidden|[Uu]nauthori[sz]ed|[Pp]ermission|[Dd]enied|[Nn]ot ?[Aa]llowed|AccessDenied|AuthError|login|\bfalse\b|\bFalse\b|\bnull\b|\bNone\b|\bnil\b|\breturn\s*;?\s*$|[Ii]nvalid|[Ee]rror|[Ee]xception/;

/** Calls that stop by themselves when what they look at is not in order. */
const STOPS_BY_ITSELF =
  /^\s*(?:await\s+|return\s+await\s+|if\s+err\s*:?=\s*|\w+\s*:?=\s*(?:await\s+)?)?(?:[\w$]+(?:\.|::|->))*(?:(?:require|ensure|assert|check|verify|validate|enforce|authorize|authenticate|guard|deny|must)_?\w*(?:auth|permission|role|scope|access|privilege|login|admin|owner|token|csrf|signature|hmac|rights?|session|user)\w*!?|authorize!?|authenticate!?|(?:jwt|jose|JWT)\.(?:verify|decode)|jwtVerify|timingSafeEqual|compare_digest|secure_compare|hash_equals|constructEvent|constant_time_compare|verify_webhook\w*|csrfProtection)\s*[!?]?\s*\(/i;
const DECORATOR =
  /^\s*(?:@|#?\[)\s*(?:[\w.]+\.)?(?:\w*(?:login|auth|permission|role|csrf|jwt|token|admin|staff|secure)\w*_?(?:required|protect|guard|only)?|PreAuthorize|PostAuthorize|Secured|RolesAllowed|Authorize|UseGuards|Roles|RequiresPermissions|RequiresRoles|ValidateAntiForgeryToken|user_passes_test)\b/i;
const FILTER =
  /^\s*(?:prepend_)?before_(?:action|filter)\s+:\w*(?:auth|login|require|permission|admin|verify|check)\w*|^\s*protect_from_forgery\b|^\s*(?:load_and_)?authorize_resource\b/;
/** A check that stands between the words of a route: `app.get('/x', requireAuth, show)`. */
const IN_ROUTE = /\b(?:get|post|put|patch|delete|use|all|route|path|re_path|url)\s*\(\s*(['"`][^'"`]*['"`])/;
const ROUTE_CHECK =
  /\b(?:(?:require|ensure|is|check|verify|must|has)_?(?:[A-Z_]?\w*)?(?:[Aa]uth|[Ll]ogin|[Ll]ogged|[Aa]dmin|[Rr]ole|[Pp]ermission|[Tt]oken|[Ss]ession|[Ss]cope|[Cc]srf)\w*|authenticate\w*|authorize\w*|passport\.authenticate|csrfProtection|login_required|auth(?:Middleware|Guard|Required)?)\b/g;

const normal = (line: string): string => line.trim().replace(/\s+/g, ' ').replace(/[;,]$/, '');
const isComment = (line: string): boolean => /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--|<!--|"""|''')/.test(line);
const isCode = (line: string): boolean => /\w/.test(line) && !isComment(line);

/** A check, the lines it takes, and the line that it stood before. */
interface Gate {
  /** How it reads, for comparing. */
  readonly text: string;
  /** First line that runs only where it let through; empty at the end of a text. */
  readonly guarded: string;
}

/** All checks of who may do what, of tokens and of signatures in a text, in order. Linear in lines. */
function gatesOf(text: string): readonly Gate[] {
  const lines = text.split('\n');
  const gates: Gate[] = [];
  const nextCode = (from: number): string => {
    for (let at = from; at < Math.min(lines.length, from + 8); at += 1) {
      const line = lines[at] ?? '';
      if (isCode(line) && !DECORATOR.test(line)) return normal(line);
    }
    return '';
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.length > 400 || !isCode(line)) continue;
    if (DECORATOR.test(line) || FILTER.test(line) || STOPS_BY_ITSELF.test(line)) {
      gates.push({ text: normal(line), guarded: nextCode(at + 1) });
      continue;
    }
    const condition = /^\s*(?:\}\s*else\s+)?(?:if|unless|guard|elif|elsif|else if)\b(.*)$/.exec(line)?.[1];
    if (condition === undefined || !WHO.test(condition)) continue;
    const end = refusalEnd(lines, at);
    if (end !== null) gates.push({ text: normal(condition), guarded: nextCode(end + 1) });
  }
  return gates;
}

/** Last line of an `if` whose body does nothing but turn away; null where it does something else. */
function refusalEnd(lines: readonly string[], at: number): number | null {
  const own = lines[at] ?? '';
  if (REFUSES.test(own) && REFUSAL.test(own.replace(/^\s*(?:if|unless)\b/, ''))) {
    // `raise X unless ok` and `if (!ok) throw X;` on one line; a body in brackets may go on.
    if (!/\{\s*$/.test(own)) return at;
  }
  for (let next = at + 1; next <= Math.min(lines.length - 1, at + 4); next += 1) {
    const line = lines[next] ?? '';
    if (!REFUSES.test(line)) {
      if (/^\s*(?:\}|end\b|\{)\s*$/.test(line) || !isCode(line) || /\blog\w*[.(]|console\.|logger|print/.test(line))
        continue;
      return null;
    }
    if (!REFUSAL.test(line)) return null;
    for (let end = next; end < Math.min(lines.length, next + 5); end += 1)
      if (/^\s*(?:\}|end)\s*;?\s*$/.test(lines[end] ?? '')) return end;
    return next;
  }
  return null;
}

/** A trailing condition: `raise Forbidden unless user.admin?`, `return res.sendStatus(403) if …`. */
const TRAILING = /^\s*(?:raise|return|abort|redirect_to|head|die|throw)\b.*\b(?:unless|if)\s+(.+)$/;

function trailingGates(text: string): readonly Gate[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at): Gate[] => {
    const [, condition] = (line.length < 400 && TRAILING.exec(line)) || [];
    if (condition === undefined || !WHO.test(condition) || isComment(line)) return [];
    const guarded = lines.slice(at + 1, at + 6).find(isCode);
    return [{ text: normal(condition), guarded: normal(guarded ?? '') }];
  });
}

/** Routes with the checks that stand among their handlers. */
function routesOf(text: string): ReadonlyMap<string, readonly string[]> {
  const routes = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    const [, route] = (line.length < 400 && IN_ROUTE.exec(line)) || [];
    if (route === undefined || isComment(line)) continue;
    const behind = line.slice(line.indexOf(route) + route.length);
    routes.set(
      route,
      [...behind.matchAll(ROUTE_CHECK)].map(([name]) => name),
    );
  }
  return routes;
}

/** Checks that are gone although what stood behind them is still there. A check that moved or reads differently is none. */
function lostGates(before: string, after: string): readonly string[] {
  const old = [...gatesOf(before), ...trailingGates(before)];
  const lost: string[] = [];
  if (old.length > 0) {
    const now = [...gatesOf(after), ...trailingGates(after)];
    const lines = new Set(after.split('\n').map(normal));
    const left = new Map<string, number>();
    for (const { text } of now) left.set(text, (left.get(text) ?? 0) + 1);
    const gone = old.filter(({ text }) => {
      const count = left.get(text) ?? 0;
      left.set(text, count - 1);
      return count <= 0;
    });
    // Gates that are new stand for ones that are gone: a check that was written anew is no check less.
    const fewer = old.length - now.length;
    const unguarded = gone.filter(({ guarded }) => guarded !== '' && lines.has(guarded) && !isGuardedIn(guarded, now));
    lost.push(...unguarded.slice(0, Math.max(0, fewer)).map(({ text }) => text));
  }
  const routes = routesOf(after);
  for (const [route, checks] of routesOf(before)) {
    const kept = routes.get(route);
    if (kept !== undefined && checks.length > 0 && kept.length === 0) lost.push(`${checks.join(', ')} of ${route}`);
  }
  return lost;
}

const isGuardedIn = (line: string, gates: readonly Gate[]): boolean => gates.some(({ guarded }) => guarded === line);

/**
 * Checks of safety that a change of code or settings takes away: a switch that leaves certificates, signatures, forged requests or
 * the asker unchecked, and a check of who may do what that is gone while what it guarded stays. Tests and prose are left out. Linear.
 */
export function lostChecks(sides: Sides): readonly Finding[] {
  if (isProse(sides) || isTest(sides)) return [];
  const switches = thrownSwitches(sides.before, sides.after).map((what) => mark('removes-check', what));
  if (sides.isNew && sides.before === '') return switches;
  const gates = lostGates(sides.before, sides.after);
  return gates.length === 0
    ? switches
    : [...switches, mark('removes-check', `takes a check away: ${shownNames(gates)}`)];
}
