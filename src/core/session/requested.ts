import type { Analysis, Effect } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import { shownPath } from '../effects/paths.js';
import type { Kind } from '../lacuna/kinds.js';
import { isToolFolder } from '../effects/toolFolders.js';
import { sensitivityOf, type Persistence } from '../effects/sensitivePaths.js';
import { asksFor, names, says, type Intent } from './intents.js';
import { isWellKnownPackage } from './wellKnownPackages.js';

/** Traits with which an action goes further than a plain sentence of a person can be taken to ask for. */
const FURTHER: readonly Effect['traits'][number][] = [
  'force',
  'remote-code',
  'secret',
  'personal',
  'metadata',
  'grants-access',
  'guard-self',
  'hidden-text',
  'removes-check',
  'catastrophic',
  'protected-ref',
];

/** Whether the same command reaches another host than the registry that it is made for: a name says nothing of what lies there. */
const comesFromElsewhere = (effect: Effect, analysis: Analysis): boolean =>
  analysis.effects.some(
    ({ op, command, traits }) => op === 'network' && command === effect.command && !traits.includes('own-service'),
  );

/**
 * Packages that the request names, in whatever language; common ones that it may mean by "the formatter"; and what the project's
 * own manifest lists, when installing is asked for. A package from an address or a folder is never meant by a name.
 */
function isInstallRequested(effect: Effect, analysis: Analysis, request: string): boolean {
  if (effect.resource.type !== 'package' || effect.certainty === 'dynamic') return false;
  if (comesFromElsewhere(effect, analysis)) return false;
  const { ecosystem, name } = effect.resource;
  if (/^(?:https?:|git[+@:]|file:|\.|\/)|:\/\//.test(name)) return false;
  if (name === '' || name === '*') return asksFor(request, 'install');
  if (names(request, name)) return true;
  // Two letters name something only beside the word for installing it: jq, fd, gh.
  if (name.length === 2 && asksFor(request, 'install') && request.split(/[^\w-]+/).includes(name)) return true;
  return isWellKnownPackage(ecosystem, name) && (asksFor(request, 'install') || asksFor(request, 'use'));
}

/**
 * A page that the request names: its host, the project in its host, or the issue or pull request in its path. Only where it is
 * read by a Lacuna of its own, which can do nothing but read it: code and commands that fetch do with it what they like, and
 * what runs them is asked about (product.md §4, "network to a host not on the list").
 */
function isPageRequested(effect: Effect, request: string): boolean {
  if (effect.resource.type !== 'url' || effect.certainty !== 'exact') return false;
  const { host, url, method } = effect.resource;
  if (method !== null && !/^(?:GET|HEAD)$/i.test(method)) return false;
  if (host === '' || /[?#].{40,}/.test(url)) return false; // a long query carries more than a question
  if (names(request, host) || names(request, host.replace(/^www\./, ''))) return true;
  const [, kind, number] =
    /\/(issues?|pulls?|pull-requests|merge_requests|discussions|commits?|releases?)\/(\w+)/i.exec(url) ?? [];
  if (kind !== undefined && number !== undefined && isNumbered(request, number)) return true;
  const labels = host
    .split('.')
    .slice(0, -1)
    .filter((label) => !/^(?:www|docs?|api|developer|help|learn|support|com|co|org|github|gitlab)$/.test(label));
  return labels.some((label) => label.length >= 4 && names(request, label)) && asksFor(request, 'read');
}

/** Whether the request gives the number of an issue or the like: `#42`, or the number beside any word for it. */
const isNumbered = (request: string, number: string): boolean =>
  names(request, number) || says(request, new RegExp(`(?:[#!№]|[\\p{L}]\\s*#?)${number}(?!\\w)`, 'iu'));

/** Something that a service holds and that the request speaks of: a pull request, an issue, a run. */
function isLookRequested(effect: Effect, request: string): boolean {
  if (effect.resource.type !== 'remote') return false;
  const { name } = effect.resource;
  const noun = /\b(pr|pull|issue|run|workflow|release|repo|gist|discussion|pipeline|mr|job|deployment|log)s?\b/i
    .exec(name)?.[1]
    ?.toLowerCase();
  if (noun === undefined) return false;
  const words = NOUNS.get(noun) ?? noun;
  return says(request, new RegExp(`\\b(?:${words})s?\\b${ELSEWHERE.get(noun) ?? ''}`, 'i'));
}

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['pr', 'pr|pull request|review|#\\d+'],
  ['pull', 'pr|pull request|review|#\\d+'],
  ['mr', 'mr|merge request|review|!\\d+'],
  ['issue', 'issue|bug|ticket|#\\d+'],
  ['run', 'run|ci|workflow|action|build|pipeline|check'],
  ['workflow', 'run|ci|workflow|action|build|pipeline|check'],
  ['job', 'job|ci|workflow|pipeline|build'],
  ['repo', 'repo|repository|project|fork'],
]);

const PROPOSALS = '|プルリク|合并请求|拉取请求|풀 ?리퀘스트|пул-?реквест';
const RUNS = '|сборк|конвейер|构建|流水线|ビルド|パイプライン|빌드|파이프라인';
/** The same nouns in scripts that write words without blanks, or with endings of their own. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['pr', PROPOSALS],
  ['pull', PROPOSALS],
  ['mr', PROPOSALS],
  ['issue', '|тикет|баг|问题|イシュー|不具合|이슈|버그|fehler'],
  ['run', RUNS],
  ['workflow', RUNS],
  ['job', RUNS],
  ['repo', '|репозитори|仓库|リポジトリ|저장소'],
]);

/** Words by which a person asks for something that runs later. */
const LATER: Readonly<Record<Persistence, RegExp | null>> = {
  'shell-startup':
    /\b(?:shell|alias(?:es)?|prompt|terminal|bash(?:rc)?|zsh(?:rc)?|profile|dotfiles?|path)\b|оболочк|терминал|алиас|终端|别名|ターミナル|エイリアス|シェル|터미널|별칭/i,
  git: /\b(?:hooks?|commits?|husky|(?:pre|post|prepare)-?(?:commit|push|merge|checkout|rebase|receive)\w*|git ?config|git settings?|gitattributes|git|(?:after|before|on) (?:each|every) (?:commit|merge|push|pull|checkout))\b|хук|коммит|钩子|提交|フック|コミット|훅|커밋/i,
  pipeline:
    /\b(?:ci|cd|pipelines?|workflows?|actions?|github actions|devcontainer|gitlab|jenkins|deploy\w*|releases?|builds?)\b|bereitstell|déploiement|despliegue|деплой|сборк|流水线|部署|パイプライン|デプロイ|ワークフロー|파이프라인|배포/i,
  editor:
    /\b(?:editor|vs ?code|tasks?|debug\w*|launch|settings|devcontainer|workspace|format\w*|lint\w*|indent\w*|tab\w*|prettier|eslint|ruff|spell\w*|extensions?)\b|einrück|éditeur|débog|depura|редактор|отладк|форматир|编辑器|调试|格式|任务|エディタ|デバッグ|整形|タスク|편집기|디버그|작업/i,
  interpreter:
    /\b(?:scripts?|package\.json|lint\w*|tests?|builds?|format\w*|tasks?|make\w*|config\w*|dependenc\w*|upgrade|bump|version|setup)\b|skript|abhängigkeit|dépendance|dependencia|prueba|скрипт|тест|зависимост|脚本|测试|依赖|スクリプト|テスト|依存|스크립트|테스트|의존성/i,
  schedule:
    /\b(?:cron\w*|schedul\w*|every (?:day|hour|night|week)|daily|nightly|hourly|timer)\b|täglich|stündlich|quotidien|diari|кажд|ежедневн|每天|每小时|毎日|毎時|매일|매시간/i,
  instructions:
    /\b(?:agents?\.md|claude\.md|instructions?|rules|guidelines|copilot|cursor)\b|anweisung|regeln|instrucci|règle|regla|указани|правил|规则|指示|ルール|지침/i,
  service: null,
  access: null,
  agent: null,
  'search-path':
    /\b(?:helper|script|tool|command|bin)\b|werkzeug|skript|outil|herramienta|инструмент|скрипт|工具|脚本|ツール|スクリプト|도구|스크립트/i,
  guard: null,
};

function isLaterRequested(effect: Effect, request: string, facts: Facts, isHarmless: () => boolean): boolean {
  if (!('path' in effect.resource) || effect.certainty !== 'exact') return false;
  const { persistence } = sensitivityOf(effect.resource.path, facts);
  const words = persistence === null ? null : LATER[persistence];
  const isNamed = (words !== null && says(request, words)) || names(request, shownPath(effect.resource.path, facts));
  return isNamed && isHarmless();
}

const hasProgram = (effect: Effect, analysis: Analysis, programs: RegExp): boolean => {
  const command = effect.command === null ? undefined : analysis.commands[effect.command];
  return command !== undefined && programs.test(command.argv.map((word) => word.text).join(' '));
};

/** The remotes that a repository has by itself; any other is named by the request, or has been looked at by nobody. */
const OWN_REMOTE = /^(?:|origin|upstream)$/;

/** Where a push goes, by the effects of its command; null when it is an address or cannot be told. */
function remoteOf(command: number | null, analysis: Analysis): string | null {
  const remotes = analysis.effects.flatMap(({ resource, command: own }) =>
    own === command && resource.type === 'ref' && resource.remote !== null ? [resource.remote] : [],
  );
  const [first] = remotes;
  return first === undefined || /[:/]/.test(first) || remotes.some((remote) => remote !== first) ? null : first;
}

/** A plain push of the own branch to a remote of the repository, or of a name that the request gives. */
function isPushRequested(effect: Effect, analysis: Analysis, request: string): boolean {
  if (effect.op === 'delete' || !hasProgram(effect, analysis, /^git\b.*\bpush\b/)) return false;
  // A pull request is opened for a branch that has been pushed.
  if (!asksFor(request, 'push') && !asksFor(request, 'propose')) return false;
  const remote = remoteOf(effect.command, analysis);
  return remote !== null && (OWN_REMOTE.test(remote) || names(request, remote));
}

/** What the command line of a code host makes, and what a request for it is. */
const MAKERS: readonly (readonly [RegExp, Intent])[] = [
  [/^(?:gh pr|glab mr) (?:create|new)\b/, 'propose'],
  [/^(?:gh|glab) issue (?:create|new)\b/, 'report'],
  [/^(?:gh|glab) (?:issue|pr|mr) (?:comment|note)\b/, 'comment'],
];

/** A pull request, an issue or a comment in the own repository that the request asks to be made. */
const isMakingRequested = (effect: Effect, analysis: Analysis, request: string): boolean =>
  effect.op !== 'delete' &&
  !hasProgram(effect, analysis, / (?:-R|--repo)\b/) &&
  MAKERS.some(([program, intent]) => hasProgram(effect, analysis, program) && asksFor(request, intent));

const PUBLISHERS =
  /^(?:npm|pnpm|yarn|bun|cargo|twine|poetry|uv|gem|dotnet|vsce|ovsx|flit|hatch|mvn|gradle)\b.*\b(?:publish|upload|push|deploy)\b/;

const isPublishRequested = (effect: Effect, analysis: Analysis, request: string): boolean =>
  effect.traits.includes('publish') && hasProgram(effect, analysis, PUBLISHERS) && asksFor(request, 'publish');

/** Where a tool that was asked for lands, when it is for every project of the machine. */
const isToolRequested = (effect: Effect, analysis: Analysis, request: string, facts: Facts): boolean =>
  effect.resource.type === 'path' &&
  isToolFolder(effect.resource.path, facts) &&
  analysis.effects.some(
    (other) =>
      other.op === 'install' && other.command === effect.command && isInstallRequested(other, analysis, request),
  );

/** A single file of the workspace that the request names and asks to be deleted. */
function isDeleteRequested(effect: Effect, request: string, facts: Facts): boolean {
  if (effect.resource.type !== 'path' || effect.resource.place !== 'workspace' || effect.certainty !== 'exact')
    return false;
  if (effect.traits.includes('recursive') || !asksFor(request, 'delete')) return false;
  return names(request, shownPath(effect.resource.path, facts));
}

/**
 * Whether the person's own request names this very effect: a push, a publication, packages, a page to read, or something that
 * runs later and whose content is known and harmless. Only what a policy would otherwise ask about is looked at, and nothing
 * that goes further than the words. The request is the person's; text that the agent read is no request.
 */
export function isRequested(
  effect: Effect,
  analysis: Analysis,
  kind: Kind,
  request: string,
  facts: Facts,
  isHarmlessLater: () => boolean,
): boolean {
  if (request === '') return false;
  if (effect.traits.some((trait) => FURTHER.includes(trait))) return false;
  if (isPublishRequested(effect, analysis, request) || isPushRequested(effect, analysis, request)) return true;
  if (isMakingRequested(effect, analysis, request)) return true;
  // What is sent goes no further than a push or a publication may.
  if (effect.traits.includes('upload')) return false;
  switch (effect.op) {
    case 'install':
      return isInstallRequested(effect, analysis, request);
    case 'persist':
    case 'write':
      return (
        isToolRequested(effect, analysis, request, facts) || isLaterRequested(effect, request, facts, isHarmlessLater)
      );
    case 'delete':
      return isDeleteRequested(effect, request, facts);
    case 'network':
      if (kind === 'HttpRequest' && isPageRequested(effect, request)) return true;
      // What a package manager asks its registry for belongs to the installation that was asked for.
      return analysis.effects.some(
        (other) =>
          other.op === 'install' && other.command === effect.command && isInstallRequested(other, analysis, request),
      );
    case 'read':
      return isLookRequested(effect, request);
    case 'execute':
      // A container that the request speaks of; what it can reach of the machine is judged by its other effects.
      return effect.resource.type === 'remote' && /^(?:docker|podman|container|compose)$/.test(effect.resource.service)
        ? says(
            request,
            /\b(?:docker|containers?|compose|podman|devcontainer|conteneurs?|contenedor(?:es)?)\b|контейнер|容器|コンテナ|컨테이너/i,
          )
        : false;
    default:
      return false;
  }
}
