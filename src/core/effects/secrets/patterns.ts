/** One way a secret is written. */
export interface SecretPattern {
  /** What it is, as shown to people and in masks: `github-token`. Lower case and dashes only. */
  readonly kind: string;
  /** The pattern is tried only where one of these occurs: cheaper than the pattern. Lower case. Empty: always tried. */
  readonly hints: readonly string[];
  /**
   * Global and linear: no nested quantifier, bounded lengths. If it has a group named `value`, that is the secret and the
   * rest only its surroundings.
   */
  readonly pattern: RegExp;
  /** `format`: the shape alone proves it. `named`: a telling name stands before it, so the value must look random too. */
  readonly proof: 'format' | 'named';
  /** The secret goes on up to the end of the line that holds this, or to the end of the text. */
  readonly until?: string;
}

const format = (kind: string, hints: readonly string[], pattern: RegExp): SecretPattern => ({
  kind,
  hints,
  pattern,
  proof: 'format',
});
const named = (kind: string, hints: readonly string[], pattern: RegExp): SecretPattern => ({
  kind,
  hints,
  pattern,
  proof: 'named',
});

/**
 * Shapes that providers document for their own tokens, then names that announce a secret. Earlier ones win where two
 * overlap. Source: each provider's documentation of token formats.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'private-key',
    hints: ['private key'],
    pattern: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
    proof: 'format',
    until: '-----END',
  },
  format('putty-key', ['putty-user-key-file'], /PuTTY-User-Key-File-\d: [^\r\n]{1,80}/g),
  format('age-key', ['age-secret-key-1'], /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g),
  format('aws-access-key', ['akia', 'asia', 'abia', 'acca'], /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,17}\b/g),
  named(
    'aws-secret-key',
    ['secret'],
    /aws.{0,3}secret.{0,3}(?:access)?.{0,3}key["']?\s{0,4}[=:]\s{0,4}["']?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
  ),
  format('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9]{30,255}\b/g),
  format('github-token', ['github_pat_'], /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g),
  format(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-', 'glft-'],
    /\bgl(?:pat|dt|rt|cbt|ptt|soat|ft)-[\w.-]{20,120}/g,
  ),
  format('slack-token', ['xox', 'xapp-'], /\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,250}/g),
  format(
    'slack-webhook',
    ['hooks.slack.com'],
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{20,120}/g,
  ),
  format('discord-webhook', ['/api/webhooks/'], /discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[\w-]{40,100}/g),
  format('stripe-key', ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'], /\b[sr]k_(?:live|test)_[A-Za-z0-9_]{8,250}/g),
  format('webhook-secret', ['whsec_'], /\bwhsec_[A-Za-z0-9+/=]{24,100}/g),
  format('anthropic-key', ['sk-ant-'], /\bsk-ant-[A-Za-z0-9_-]{16,200}/g),
  format(
    'openai-key',
    ['sk-'],
    /\bsk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[A-Za-z_-]{0,60}\d)(?=[a-z\d_-]{0,60}[A-Z])[A-Za-z0-9_-]{24,250}/g,
  ),
  format('openrouter-key', ['sk-or-v1-'], /\bsk-or-v1-[a-f0-9]{40,80}/g),
  format('google-api-key', ['aiza'], /\bAIza[A-Za-z0-9_-]{35}/g),
  format('google-oauth', ['ya29.', 'gocspx-'], /\b(?:ya29\.[A-Za-z0-9_-]{20,400}|GOCSPX-[A-Za-z0-9_-]{20,40})/g),
  format('npm-token', ['npm_'], /\bnpm_[A-Za-z0-9]{36}\b/g),
  named(
    'npm-token',
    ['_authtoken', '_password', '_auth'],
    /\b_(?:authToken|auth|password)\s{0,4}=[^\S\r\n]{0,4}"?(?<value>[A-Za-z0-9+/=_.-]{8,300})/g,
  ),
  format('pypi-token', ['pypi-'], /\bpypi-[A-Za-z0-9_-]{50,250}/g),
  format('rubygems-key', ['rubygems_'], /\brubygems_[a-f0-9]{48}\b/g),
  format('docker-token', ['dckr_'], /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}/g),
  format('sendgrid-key', ['sg.'], /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g),
  format('mailgun-key', ['key-'], /\bkey-[0-9a-f]{32}\b/g),
  format('mailchimp-key', ['-us'], /\b[0-9a-f]{32}-us\d{1,2}\b/g),
  format('twilio-key', ['sk'], /\bSK[0-9a-f]{32}\b/g),
  format('telegram-token', [':aa'], /\b\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/g),
  format('discord-token', ['.'], /\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}/g),
  format('digitalocean-token', ['_v1_'], /\bdo[opr]_v1_[a-f0-9]{64}\b/g),
  format('huggingface-token', ['hf_'], /\bhf_[A-Za-z0-9]{30,60}\b/g),
  format('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g),
  format('databricks-token', ['dapi'], /\bdapi[a-f0-9]{32}(?:-\d)?\b/g),
  format('vault-token', ['hvs.', 'hvb.'], /\bhv[sb]\.[A-Za-z0-9_-]{24,250}/g),
  format('terraform-token', ['.atlasv1.'], /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,100}/g),
  format('fly-token', ['fo1_', 'flyv1'], /\b(?:fo1_[A-Za-z0-9_-]{40,100}|FlyV1 fm\d_[A-Za-z0-9+/=,_-]{40,900})/g),
  format('supabase-key', ['sbp_', 'sb_secret_'], /\b(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,80})/g),
  format('planetscale-token', ['pscale_'], /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}/g),
  format('newrelic-key', ['nrak-'], /\bNRAK-[A-Z0-9]{27}\b/g),
  format('sentry-token', ['sntry'], /\bsntry[su]_[A-Za-z0-9+/=_-]{40,300}/g),
  format('atlassian-token', ['atatt3'], /\bATATT3[A-Za-z0-9_=-]{60,250}/g),
  format('linear-key', ['lin_api_'], /\blin_api_[A-Za-z0-9]{32,48}\b/g),
  format('notion-token', ['ntn_', 'secret_'], /\b(?:ntn|secret)_[A-Za-z0-9]{43,50}\b/g),
  format('grafana-token', ['glsa_', 'glc_'], /\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,400}/g),
  format('postman-key', ['pmak-'], /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g),
  format('groq-key', ['gsk_'], /\bgsk_[A-Za-z0-9]{40,60}\b/g),
  format('replicate-token', ['r8_'], /\br8_[A-Za-z0-9]{37,40}\b/g),
  format('doppler-token', ['dp.'], /\bdp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{40,60}/g),
  named('azure-key', ['accountkey='], /AccountKey=(?<value>[A-Za-z0-9+/]{60,100}={0,2})/g),
  named('azure-secret', ['8q~'], /(?<![\w~.-])(?<value>[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34})/g),
  format(
    'jwt',
    ['eyj'],
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}/g,
  ),
  named(
    'url-password',
    ['://'],
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`<>]{0,80}:(?<value>[^\s/@'"`<>]{3,120})@(?=[^\s/:@'"`]{1,253})/gi,
  ),
  named(
    'netrc-password',
    ['machine'],
    /\bmachine\s{1,8}\S{1,253}\s{1,8}login\s{1,8}\S{1,100}\s{1,8}password\s{1,8}(?<value>\S{4,200})/g,
  ),
  named(
    'authorization',
    ['authorization', 'bearer'],
    /\b(?:authorization["']?\s{0,4}[:=]\s{0,4}["']?\s{0,4}(?:bearer|basic|token)|bearer)\s{1,4}(?<value>[A-Za-z0-9._~+/=-]{20,1000})/gi,
  ),
  named(
    'named-secret',
    ['secret', 'token', 'passw', 'pwd', 'key', 'credential', '_auth', '_pass'],
    /(?:secret|token|passw(?:or)?d|passphrase|pwd|(?:api|access|private|encryption|signing|master|account|service)[_-]?key|credentials?|_KEY|_auth|_pass)(?<!\barn:aws[a-z-]{0,10}:(?:[a-z0-9-]{0,30}:){0,4}[a-z]{0,14})(?:[_-]?[A-Za-z0-9]{1,20}){0,2}["']?\s{0,4}(?:=>|:=|=|:)(?:[^\S\r\n]{0,4}|\s{0,4}(?=["']))(?<value>"[^"\r\n]{6,400}"|'[^'\r\n]{6,400}'|[^\s"'`,;(){}[\]<>]{6,400})/gi,
  ),
];
