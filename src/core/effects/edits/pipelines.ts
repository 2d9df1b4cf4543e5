import type { View } from '../view.js';
import { mark, newAmong, shownNames, type Finding, type Sides } from './finding.js';
import { firstHarm } from './lineHarm.js';

const PIPELINE =
  /\/\.github\/(?:workflows|actions)\/|\/\.gitlab-ci\.ya?ml$|\/\.gitlab\/ci\/|\/\.circleci\/|\/azure-pipelines|\/bitbucket-pipelines\.yml$|\/\.drone\.yml$|\/\.woodpecker|\/\.buildkite\/|\/\.(?:forgejo|gitea)\/workflows\/|\/jenkinsfile/i;

/** Commands of a pipeline: `run: x` and blocks, items of `script:`, `sh '…'`. Values that the pipeline fills in are variables. */
function commandsOf(text: string): readonly string[] {
  const lines: string[] = [];
  let block: number | null = null;
  let inScript: number | null = null;
  for (const line of text.split('\n').slice(0, 20_000)) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    if (block !== null && indent > block) {
      lines.push(line.trim());
      continue;
    }
    block = null;
    if (inScript !== null && indent <= inScript && !/^\s*-/.test(line)) inScript = null;
    const [, key = '', value = ''] =
      /^\s*(?:-\s+)?(run|script|before_script|after_script|command|bash|pwsh|powershell)\s*:\s*(.*)$/.exec(line) ?? [];
    if (key !== '' && /^[|>][+-]?\d?\s*$/.test(value)) block = indent;
    else if (key !== '' && value !== '') lines.push(value);
    else if (key !== '') inScript = indent;
    else if (inScript !== null) lines.push(line.trim().replace(/^-\s+/, ''));
    const shell = /\bsh\s*(?:\(\s*)?["']([^"']+)["']/.exec(line)?.[1];
    if (shell !== undefined) lines.push(shell);
  }
  return lines.map((line) =>
    line
      .replace(/^(["'])(.*)\1$/, '$2')
      .replace(/\$\{\{\s*([^}]*?)\s*\}\}/g, (_all, name: string) => `\${${name.replace(/\W/g, '_')}}`),
  );
}

/** What a pipeline asks of whoever changes it: its own guards. */
const GUARD =
  /\b(?:gitleaks|trufflehog|detect-secrets|semgrep|codeql|snyk|trivy|grype|checkov|tfsec|bandit|npm audit|pnpm audit|yarn audit|pip-audit|cargo (?:audit|deny)|govulncheck|dependency-review|scorecard|osv-scanner|cosign verify|slsa-verifier|eslint|ruff|mypy|flake8|pylint|tsc\b|(?:npm|pnpm|yarn)(?: run)? (?:test|lint|check|typecheck)|pytest|go (?:test|vet)|cargo (?:test|clippy)|golangci-lint|rubocop|phpstan)\b/g;
const PASSES_OVER =
  /\bcontinue-on-error\s*:\s*true\b|\ballow_failure\s*:\s*true\b|\|\|\s*true\b|\bif\s*:\s*(?:false|\$\{\{\s*false)/g;
const SECRETS = /\bsecrets\b(?:\.[\w-]+|\s*\[|\s*\)|\s*:\s*inherit)/gi;
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}\b/;
const OWN_ACTIONS = /^(?:actions|github|docker|\.)\//;

const usesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^\s*(?:-\s+)?uses\s*:\s*["']?([^\s"'#]+)/gm)].map(([, action = '']) => action);

const count = (form: RegExp, text: string): number => [...text.matchAll(form)].length;

/**
 * What a change of a build pipeline brings or takes away, for the person who is asked about it anyway: secrets that are handed on, code
 * of strangers with the rights of the project, code from elsewhere, checks that are gone or passed over. Linear.
 */
export function pipelineFindings({ path, before, after }: Sides, view: View): readonly Finding[] {
  if (!PIPELINE.test(path)) return [];
  const findings: Finding[] = [];
  const tell = (note: string): void => void findings.push(mark(null, note));
  const takesHead =
    /pull_request_target|workflow_run/.test(after) &&
    /github\.event\.(?:pull_request\.head|workflow_run\.head)|github\.head_ref/.test(after);
  if (takesHead && !(before.includes('pull_request_target') && /head\.(?:sha|ref)|head_ref/.test(before)))
    tell('runs code of strangers with the rights and secrets of the project');
  const lost = newAmong(
    [...after.matchAll(GUARD)].map(([one]) => one),
    [...before.matchAll(GUARD)].map(([one]) => one),
  );
  if (lost.length > 0) findings.push(mark('removes-check', `takes checks out of the pipeline: ${shownNames(lost)}`));
  if (count(PASSES_OVER, after) > count(PASSES_OVER, before))
    findings.push(mark('removes-check', 'has failures of the pipeline passed over'));
  const commands = newAmong(commandsOf(before), commandsOf(after));
  const harm = firstHarm(commands, view);
  if (harm !== null) tell(`${harm.why}: ${harm.line.slice(0, 100)}`);
  const handed = commands.filter(
    (line) => /\bsecrets_|toJson/i.test(line) && /\b(?:curl|wget|nc|http|Invoke-)/i.test(line),
  );
  if (handed.length > 0) tell('hands secrets to another machine');
  const secrets = newAmong(
    [...before.matchAll(SECRETS)].map(([one]) => one),
    [...after.matchAll(SECRETS)].map(([one]) => one),
  );
  const strange = newAmong(usesOf(before), usesOf(after)).filter(
    (action) => !OWN_ACTIONS.test(action) && !PINNED.test(action),
  );
  if (strange.length > 0) tell(`runs actions of others, not pinned: ${shownNames(strange)}`);
  if (secrets.length > 0) tell(`uses secrets that it did not: ${shownNames(secrets)}`);
  const rights = newAmong(
    [...before.matchAll(/\b[\w-]+:\s*write(?:-all)?\b/g)].map(([one]) => one),
    [...after.matchAll(/\b(?:[\w-]+:\s*write(?:-all)?)\b/g)].map(([one]) => one),
  );
  if (rights.length > 0) tell(`takes rights: ${shownNames(rights)}`);
  return findings;
}
