import { namesOf } from '../src/core/review/names.js';
import type { EffectFact } from '../src/core/review/facts.js';
import { isSideEffect } from './example.js';
import type { Random } from './random.js';

/** Sentences by which a person asks for an effect, in their words of the work, not of the shell. `{t}` is what it is done to. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'delete path': ['delete {t}', 'remove {t}', 'get rid of {t}', '{t} can go', 'we do not need {t} any more, drop it', 'clean up {t}', '删除 {t}', 'lösche {t}', 'supprime {t}', 'borra {t}'],
  'delete ref': ['delete the branch {t}', 'remove {t} from git', 'drop the ref {t}', 'lösche den Branch {t}', '删除分支 {t}'],
  'delete remote': ['delete {t}', 'tear down {t}', 'remove {t} from the cluster', 'supprime {t}', '删除 {t}'],
  'delete table': ['delete the rows of {t}', 'empty {t}', 'drop the table {t}', '清空表 {t}'],
  'move path': ['move {t}', 'rename {t}', 'put {t} where it belongs', '{t} should be called something else, move it', '移动 {t}', 'verschiebe {t}', 'renomme {t}'],
  'install package': ['install {t}', 'add {t} as a dependency', 'we need {t}', 'upgrade {t}', 'update the dependency {t}', '安装 {t}', 'installiere {t}', 'installe {t}', 'instala {t}'],
  'kill process': ['stop {t}', 'kill {t}', 'restart it', '{t} hangs, end the process', '停止 {t}', 'beende {t}'],
  'history ref': ['rewrite the last commits', 'squash that', 'reset {t}', 'undo the last commit', 'rebase it'],
  'write ref': ['push it', 'push {t}', 'get {t} onto the remote', '推送', 'push den Branch', 'pousse la branche'],
  'write remote': ['deploy {t}', 'apply it to {t}', 'update {t}', 'create {t}', '部署 {t}', 'deploye {t}'],
  'write table': ['write it into {t}', 'run the migration on {t}', 'change the rows of {t}', 'update the database'],
  'write path': ['write it to {t}', 'save it in {t}', 'edit {t}', 'undo the changes in {t}', 'change {t}', 'put it into {t}', '写到 {t}', 'schreib es nach {t}'],
  'persist path': ['set it up in {t}', 'change {t} so that it runs by itself', 'add it to {t}', 'update the workflow {t}', 'configure {t}'],
  'persist process': ['make it start by itself', 'schedule it', 'set up a service for {t}'],
  'privilege process': ['do it with sudo', 'use admin rights', 'run it as root', 'it needs root, use sudo'],
  'network url': ['send it to {t}', 'upload it to {t}', 'post it to {t}', '上传到 {t}', 'envoie ça à {t}'],
};

/** What is said of what is done, and how it is named there: the whole name most often, else its last part. */
export function askFor(facts: readonly EffectFact[], roots: readonly string[], random: Random): string | null {
  const grave = facts.find((fact) => isSideEffect(fact));
  if (grave === undefined) return null;
  const sentence = random.pick(SENTENCES[grave.what] ?? SENTENCES[`${grave.effect.op} path`] ?? ['do that with {t}']);
  const { whole, base } = namesOf(grave.effect.resource, roots);
  const [full = ''] = whole;
  // The number of the exporting process is another at each run: one stands for all.
  const name = (random.chance(0.7) ? full : (base[0] ?? full)).replace(/^\/proc\/\d+\//, '/proc/3705/');
  if (sentence.includes('{t}') && (name.length < 2 || name.length > 80)) return null;
  return sentence.replaceAll('{t}', name);
}
