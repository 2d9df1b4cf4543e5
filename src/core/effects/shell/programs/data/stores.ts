import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { parseOptions } from '../options.js';

/** Redis commands that only look. Source: redis.io/commands, the `@read` and `@connection` categories. */
const REDIS_READS = new Set(
  'get mget getrange strlen exists type ttl pttl keys scan hscan sscan zscan hget hgetall hmget hkeys hvals hlen hexists llen lrange lindex lpos scard smembers sismember srandmember sdiff sinter sunion zcard zcount zrange zrangebyscore zrevrange zrank zscore xlen xrange xrevrange xinfo xread bitcount getbit pfcount geopos geodist geosearch dbsize info ping echo time lastsave role client memory object slowlog latency command monitor subscribe psubscribe select auth hello dump randomkey touch lolwut cluster wait config acl pubsub debug'.split(
    ' ',
  ),
);
const REDIS_TAKES_ALL = new Set(['flushall', 'flushdb', 'swapdb']);
const REDIS_TAKES = new Set([
  'del',
  'unlink',
  'hdel',
  'lrem',
  'ltrim',
  'srem',
  'zrem',
  'zremrangebyrank',
  'zremrangebyscore',
  'xdel',
  'xtrim',
  'spop',
  'lpop',
  'rpop',
  'getdel',
  'expire',
  'pexpire',
  'expireat',
  'rename',
  'migrate',
  'restore',
]);
const REDIS_RUNS = new Set(['eval', 'eval_ro', 'evalsha', 'fcall', 'function', 'module', 'script']);

function redis(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-c -x -X -3 -2 --tls --insecure --raw --no-raw --csv --json --stat --latency --latency-history --bigkeys --memkeys --hotkeys --scan --no-auth-warning --verbose --version -v -e --ldb',
      values:
        '-h -p -s -a -u -n -r -i -d -D -t --user --pass --cacert --cert --key --sni --pattern --pipe-timeout --eval --rdb --functions-rdb --cluster --count --quoted-pattern',
      optional: '--pipe --help',
      stopsAtOperand: true,
    },
    words,
  );
  for (const host of parsed.values('-h', '-u')) run.network(host, { traits: ['download'] });
  const file = parsed.value('--eval');
  if (file) {
    run.read(file);
    run.emit('execute', { type: 'process', process: 'redis script' }, { traits: ['unreviewed'] });
  }
  for (const dump of parsed.values('--rdb', '--functions-rdb')) run.write(dump);
  const [verb, ...rest] = parsed.operands;
  if (verb) redisCommand(run, verb.text, rest);
  else if (run.invocation.input.type === 'text') {
    for (const line of run.invocation.input.text.split('\n')) {
      const [first = '', ...others] = line.trim().split(/\s+/);
      if (first !== '')
        redisCommand(
          run,
          first,
          others.map((text) => ({ text, raw: text, certainty: 'exact', quoted: true })),
        );
    }
  } else if (run.invocation.input.type !== 'none') run.unknown('commands for redis that are not seen');
}

function redisCommand(run: Run, verb: string, rest: readonly Word[]): void {
  const name = verb.toLowerCase();
  const second = rest[0]?.text.toLowerCase() ?? '';
  const key = { type: 'table', database: 'redis', table: rest[0]?.text ?? '*' } as const;
  const all = { type: 'table', database: 'redis', table: '*' } as const;
  if (REDIS_TAKES_ALL.has(name)) run.emit('delete', all, { traits: ['mass', 'rows-unbounded'], reversible: 'no' });
  else if (name === 'module' && /^load/.test(second))
    run.emit('persist', all, { traits: ['grants-access'], reversible: 'no', note: 'the server runs the library' });
  else if (/^(?:function|script)$/.test(name) && /^(?:flush|delete)$/.test(second))
    run.emit('delete', all, { reversible: 'no', note: `${name} ${second}` });
  else if (REDIS_RUNS.has(name)) {
    run.emit('execute', { type: 'process', process: 'redis script' }, { traits: ['unreviewed'] });
    if (name === 'eval' || name === 'eval_ro') redisScript(run, rest[0]?.text ?? '');
  } else if (
    name === 'shutdown' ||
    (name === 'debug' && /segfault|crash|restart|sleep|flushall|reload/.test(second)) ||
    name === 'failover'
  ) {
    run.emit('kill', { type: 'process', process: 'redis-server' }, { reversible: 'no' });
  } else if (
    (name === 'config' && /^(set|rewrite|resetstat)$/.test(second)) ||
    (name === 'acl' && /^(setuser|deluser|load)$/.test(second)) ||
    /^(slaveof|replicaof|bgrewriteaof)$/.test(name)
  ) {
    run.emit('persist', all, {
      traits: ['grants-access'],
      reversible: 'no',
      note: `${verb} changes how the server works`,
    });
  } else if (
    (name === 'cluster' && /^(reset|forget|failover|delslots|flushslots|addslots|setslot)$/.test(second)) ||
    (name === 'client' && second === 'kill')
  ) {
    run.emit('delete', all, { reversible: 'no', note: `${verb} ${second}` });
  } else if (REDIS_TAKES.has(name)) {
    for (const word of rest.length > 0 ? rest : [null])
      run.emit(
        'delete',
        { ...key, table: word?.text ?? '*' },
        { certainty: word?.certainty ?? 'exact', reversible: 'no' },
      );
  } else if (REDIS_READS.has(name)) run.emit('read', rest[0] ? key : all, { reversible: 'yes' });
  else run.emit('write', key, { reversible: 'no' });
}

/** Commands that a script of Redis calls by name: `redis.call('del', KEYS[1])`. */
function redisScript(run: Run, text: string): void {
  for (const [, verb = '', key] of text.matchAll(/\bredis\.p?call\(\s*["'](\w+)["'](?:\s*,\s*["']([^"']*)["'])?/g))
    if (!REDIS_RUNS.has(verb.toLowerCase())) redisCommand(run, verb, key === undefined ? [] : [exactWord(key)]);
}

/** Commands of the server that only look. Source: MongoDB 8, "Database Commands". */
const MONGO_LOOKS = new RegExp(
  `\\b(?:adminCommand|runCommand)\\(\\s*\\{?\\s*["']?(?:${'ping hello isMaster buildInfo serverStatus listDatabases listCollections listIndexes connectionStatus hostInfo getParameter dbStats collStats replSetGetStatus currentOp getCmdLineOpts listCommands top usersInfo rolesInfo explain'.replaceAll(' ', '|')})\\b`,
);

/** What a line of the mongo shell does, by the names of its methods. It is JavaScript, and may be more than that. */
function mongoCode(run: Run, text: Word): void {
  const table = /\bdb\.(\w+)\.|getCollection\(["'](\w+)/.exec(text.text);
  const resource = { type: 'table', database: 'mongo', table: table?.[1] ?? table?.[2] ?? '*' } as const;
  const traits: Trait[] = /\((\s*|\s*\{\s*\}\s*[,)].*)$/s.test(
    /(?:delete|update|remove)\w*(\(.*)/is.exec(text.text)?.[1] ?? '',
  )
    ? ['rows-unbounded']
    : [];
  if (/\b(dropDatabase|drop|dropIndexes?|dropUser|dropAllUsersFromDatabase|dropRole)\s*\(/.test(text.text))
    run.emit('delete', resource, { traits: ['mass'], reversible: 'no' });
  else if (/\b(deleteMany|deleteOne|remove|findOneAndDelete|bulkWrite)\s*\(/.test(text.text))
    run.emit('delete', resource, { traits, reversible: 'no' });
  else if (
    /\b(insert\w*|update\w*|replaceOne|save|findOneAnd\w+|findAndModify|createIndex\w*|createCollection|renameCollection|mapReduce|\$out|\$merge)\b/.test(
      text.text,
    )
  )
    run.emit('write', resource, { traits, reversible: 'no' });
  else if (/\b(createUser|grantRoles\w*|updateUser|changeUserPassword|createRole)\s*\(/.test(text.text))
    run.emit('persist', resource, { traits: ['grants-access'], reversible: 'no' });
  else if (
    !MONGO_LOOKS.test(text.text) &&
    /\b(shutdownServer|replSetStepDown|killOp|fsyncLock|adminCommand|runCommand|rs\.\w+\(|sh\.\w+\()/.test(text.text)
  )
    run.emit('write', resource, { traits: ['mass'], reversible: 'no' });
  else run.emit('read', resource, { reversible: 'yes' });
  if (text.certainty !== 'exact') run.unknown('a part of the query that is known only when it runs');
  if (/\b(require|process|load|cat|fs|child_process|import)\s*[(.]/.test(text.text)) run.code('javascript', text);
}

function mongo(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '--quiet --norc --nodb --shell --tls --ssl --ipv6 --verbose --retryWrites --json',
      values:
        '--eval --host --port -u|--username -p|--password --authenticationDatabase --authenticationMechanism -f|--file --tlsCAFile --tlsCertificateKeyFile --apiVersion',
      optional: '--json',
    },
    words,
  );
  for (const target of [...parsed.values('--host'), ...parsed.operands])
    if (/:\/\/|\./.test(target.text) && !/\.js$/.test(target.text)) run.network(target, { traits: ['download'] });
  for (const code of parsed.values('--eval')) mongoCode(run, code);
  for (const file of [...parsed.values('-f'), ...parsed.operands.filter(({ text }) => /\.m?js$/.test(text))])
    run.script('javascript', file);
  if (run.invocation.input.type === 'text')
    mongoCode(
      run,
      withText(
        { text: '', raw: '', certainty: run.invocation.input.certainty, quoted: true },
        run.invocation.input.text,
      ),
    );
  else if (run.invocation.input.type !== 'none') run.unknown('commands for the database that are not seen');
}

const MONGO_TOOL = {
  flags: '--drop --gzip -v --quiet --jsonArray --upsert --ssl --tls --headerline --oplog --dumpDbUsersAndRoles',
  values:
    '-h|--host --port -u|--username -p|--password --uri -d|--db -c|--collection -o|--out --file --type -f|--fields -q|--query --mode --nsInclude --nsExclude --nsFrom --nsTo',
  optional: '--archive',
};

function mongoTool(direction: 'out' | 'in'): (run: Run) => void {
  return (run) => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const parsed = parseOptions(MONGO_TOOL, words);
    for (const target of parsed.values('--uri', '-h')) run.network(target, { traits: ['download'] });
    const table = {
      type: 'table',
      database: parsed.value('-d')?.text ?? 'mongo',
      table: parsed.value('-c')?.text ?? '*',
    } as const;
    if (direction === 'out') {
      run.emit('read', table, { traits: ['mass', 'rows-unbounded'], reversible: 'yes' });
      const out = parsed.value('-o', '--archive');
      run.write(out ?? { text: 'dump', raw: 'dump', certainty: 'exact', quoted: true }, { traits: ['recursive'] });
    } else {
      for (const file of [...parsed.values('--file', '--archive'), ...parsed.operands])
        run.read(file, { traits: ['recursive'] });
      run.emit(parsed.has('--drop') ? 'delete' : 'write', table, { traits: ['mass'], reversible: 'no' });
    }
  };
}

/** `etcdctl`, `zkCli`: keys of a cluster. */
function etcd(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '--prefix --from-key --keys-only --debug --insecure-skip-tls-verify',
      values: '--endpoints --cacert --cert --key --user --password --command-timeout -w|--write-out',
    },
    words,
  );
  for (const endpoint of parsed.values('--endpoints')) run.network(endpoint, { traits: ['download'] });
  const [verb, second] = parsed.operands;
  const name = verb?.text ?? '';
  const key = { type: 'table', database: 'etcd', table: second?.text ?? '*' } as const;
  if (/^(del|rm|rmdir|compact|compaction|defrag|deleteall|delete)$/.test(name))
    run.emit('delete', key, { traits: parsed.has('--prefix', '--from-key') ? ['mass'] : [], reversible: 'no' });
  else if (
    /^(member|user|role|auth|snapshot|alarm|lease)$/.test(name) &&
    /^(remove|delete|revoke|restore|disarm|disable)/.test(second?.text ?? '')
  )
    run.emit('delete', key, { traits: ['mass'], reversible: 'no' });
  else if (/^(get|ls|watch|endpoint|version|check)$/.test(name) || /^(list|status|get)$/.test(second?.text ?? ''))
    run.emit('read', key, { reversible: 'yes' });
  else run.emit('write', key, { reversible: 'no' });
}

/** `cypher-shell`: statements of a graph database. Source: Neo4j 5, "Cypher Manual". */
function cypher(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '--non-interactive --debug -v --version --fail-fast --fail-at-end --enable-autocompletions --change-password',
      values:
        '-a|--address|--uri -u|--username -p|--password -d|--database -f|--file --format --encryption -P|--param --impersonate --access-mode',
    },
    words,
  );
  for (const target of parsed.values('-a'))
    if (!/localhost|127\.0\.0\.1/.test(target.text)) run.network(target, { traits: ['download'] });
  const table = { type: 'table', database: 'neo4j', table: '*' } as const;
  const { input } = run.invocation;
  const texts = [...parsed.operands.map(({ text }) => text), ...(input.type === 'text' ? [input.text] : [])];
  const file = parsed.value('-f');
  const read = file === null ? '' : run.textOf(file);
  if (file) run.read(file);
  const text = [...texts, read ?? ''].join('\n').replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/\/.*$/gm, "''");
  if (/\b(?:delete|drop)\b/i.test(text))
    run.emit('delete', table, {
      traits: /\bwhere\b|\{/i.test(text) ? [] : ['mass', 'rows-unbounded'],
      reversible: 'no',
    });
  else if (/\b(?:create|merge|set|remove|foreach|load\s+csv|alter|rename|grant|revoke|deny|start|stop)\b/i.test(text))
    run.emit('write', table, { reversible: 'no' });
  else if (text.trim() !== '') run.emit('read', table, { reversible: 'yes' });
  if (/\bcall\s+(?!db\.|dbms\.components|apoc\.(?:meta|help|coll|text|convert))/i.test(text) || read === null)
    run.unknown('a procedure of the database, or statements that are not seen');
}

/** `memcached` through its own tools, search engines and the like keep theirs in their cloud tables. */
export const storePrograms: readonly ProgramEntry[] = [
  ...rows('redis-cli valkey-cli keydb-cli dragonfly-cli iredis', redis),
  ...rows('mongosh mongo', mongo),
  ...rows('mongodump mongoexport', mongoTool('out')),
  ...rows('mongorestore mongoimport', mongoTool('in')),
  ...rows('etcdctl zkCli.sh|zkCli', etcd),
  ...rows('cypher-shell', cypher),
];
