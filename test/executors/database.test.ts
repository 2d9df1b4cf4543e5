import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import start from 'sql.js';
import { sayExercised } from '../support/exercised.js';
import { noObligations } from './permits.js';
import { textOf, Workspace } from './workspace.js';

describe('QueryDatabase on SQLite files', () => {
  let ws: Workspace;
  beforeEach(async () => {
    ws = new Workspace();
    const { Database } = await start();
    const database = new Database();
    database.run(`CREATE TABLE people(id INTEGER, name TEXT, email TEXT);
      INSERT INTO people VALUES (1,'Ada','ada@example.org'),(2,'Bob','bob@example.org');`);
    writeFileSync(ws.at('app.db'), database.export());
    database.close();
  });
  afterEach(() => {
    ws.dispose();
  });
  const masked = { ...noObligations, maskColumns: ['email'] };

  it('reads with bound parameters and leaves the file alone', async () => {
    const before = readFileSync(ws.at('app.db'));
    const outcome = await ws.fill('QueryDatabase', {
      database: 'app.db',
      sql: 'SELECT id, name FROM people WHERE name = ?',
      params: ["Bob' OR 1=1 --"],
    });
    assert.equal(textOf(outcome), 'id\tname');
    assert.equal(
      textOf(
        await ws.fill('QueryDatabase', { database: 'app.db', sql: 'SELECT id FROM people WHERE id > ?', params: [1] }),
      ),
      'id\n2',
    );
    assert.deepEqual(readFileSync(ws.at('app.db')), before);
  });

  it('writes whole or not at all', async () => {
    const outcome = await ws.fill('QueryDatabase', {
      database: 'app.db',
      sql: "UPDATE people SET name = 'Eve' WHERE id = 2",
    });
    assert.ok(outcome.type === 'filled', textOf(outcome));
    assert.deepEqual(outcome.changed, [ws.at('app.db')]);
    const after = await ws.fill('QueryDatabase', { database: 'app.db', sql: 'SELECT name FROM people WHERE id = 2' });
    assert.equal(textOf(after), 'name\nEve');
    const broken = await ws.fill('QueryDatabase', { database: 'app.db', sql: 'INSERT INTO nowhere VALUES (1)' });
    assert.equal(broken.type, 'failed');
    assert.deepEqual(readdirSync(ws.root), ['app.db']);
  });

  it('runs one statement only', async () => {
    const outcome = await ws.fill('QueryDatabase', { database: 'app.db', sql: 'SELECT 1; SELECT 2' });
    assert.equal(outcome.type, 'failed');
  });

  it('masks columns, however they are dressed', async () => {
    for (const sql of [
      'SELECT * FROM people',
      'SELECT id, email FROM people',
      'SELECT id, email AS id2 FROM people',
      'SELECT id, lower(email) AS name FROM people',
      'SELECT id, email || id x FROM people',
    ]) {
      const text = textOf(await ws.fill('QueryDatabase', { database: 'app.db', sql }, { obligations: masked }));
      assert.doesNotMatch(text, /example\.org/, sql);
      assert.match(text, /^1\t/m, sql);
    }
  });

  for (const op of ['read', 'write'] as const)
    // A reading statement has its only look at the spending, and reads without waiting for anything in between.
    for (const moment of ['before it is spent', 'at the spending', ...(op === 'write' ? ['at the last look'] : [])])
      it(`is not filled when the file became a link ${moment} (${op})`, async () => {
        const other = path.join(ws.outside, 'cookies.db');
        writeFileSync(other, readFileSync(ws.at('app.db')));
        const swap = (): void => {
          rmSync(ws.at('app.db'));
          symlinkSync(other, ws.at('app.db'));
        };
        const sql = op === 'read' ? 'SELECT name FROM people' : "UPDATE people SET name = 'Eve'";
        const before = readFileSync(other);
        const outcome = await ws.fill(
          'QueryDatabase',
          { database: 'app.db', sql },
          {
            effects: [
              {
                op,
                resource: { type: 'path', path: ws.at('app.db'), place: 'workspace', git: 'none' },
                certainty: 'exact',
                reversible: 'no',
                traits: op === 'write' ? ['edit'] : [],
                command: 0,
                note: '',
              },
            ],
            between: () => {
              if (moment === 'before it is spent') swap();
            },
            atLook: (look) => {
              if ((moment === 'at the spending' && look === 0) || (moment === 'at the last look' && look === 1)) swap();
            },
          },
        );
        assert.equal(outcome.type, 'void', JSON.stringify(outcome));
        assert.deepEqual(readFileSync(other), before);
      });

  it('opens no file by a name that was not judged as one', async () => {
    writeFileSync(ws.at('people'), readFileSync(ws.at('app.db')));
    const outcome = await ws.fill('QueryDatabase', { database: 'people', sql: 'SELECT name FROM people' });
    assert.equal(outcome.type, 'unavailable', JSON.stringify(outcome));
  });

  it('refuses what is no database', async () => {
    ws.write('not.db', 'text');
    assert.equal((await ws.fill('QueryDatabase', { database: 'not.db', sql: 'SELECT 1 FROM x' })).type, 'failed');
    assert.equal((await ws.fill('QueryDatabase', { database: 'absent.db', sql: 'SELECT 1' })).type, 'failed');
  });
});

/** Folder of the newest PostgreSQL server on this machine, where Debian puts it; null when there is none. */
function serverFolder(): string | null {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => path.join(base, version, 'bin'))
    .find((bin) => existsSync(path.join(bin, 'initdb')));
  return found ?? null;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });

const bin = serverFolder();

if (bin === null) {
  describe('QueryDatabase on PostgreSQL', () => {
    it('is not exercised: there is no PostgreSQL server on this machine', () => {
      sayExercised('PostgreSQL: NOT exercised, there is no server on this machine');
      assert.equal(serverFolder(), null);
    });
  });
} else {
  describe('QueryDatabase on PostgreSQL (exercised, @slow)', function () {
    this.timeout(60_000);
    let folder = '';
    let server: ChildProcess;
    let ws: Workspace;

    before(async () => {
      const version = execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
      sayExercised(`PostgreSQL: ${version.trim()}, started on 127.0.0.1`);
      folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-pg-'));
      const data = path.join(folder, 'data');
      mkdirSync(data);
      // The server refuses to run as root: there it runs as the account that Debian's package made.
      const isRoot = process.getuid?.() === 0;
      const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
      const as = isRoot ? { uid: id('-u'), gid: id('-g') } : {};
      if (as.uid !== undefined && as.gid !== undefined)
        for (const one of [folder, data]) chownSync(one, as.uid, as.gid);
      const init = spawnSync(path.join(bin, 'initdb'), ['-D', data, '-U', 'owner', '-A', 'trust', '--no-sync'], as);
      assert.equal(init.status, 0, String(init.stderr));
      const port = await freePort();
      const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
      server = spawn(path.join(bin, 'postgres'), words, { ...as, stdio: 'ignore' });
      for (let tries = 0; tries < 300; tries += 1) {
        const ready = spawnSync(path.join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]);
        if (ready.status === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const url = `postgres://owner@127.0.0.1:${String(port)}/postgres`;
      ws = new Workspace({ databases: () => [{ name: 'main', url, passwordKey: null }] });
      for (const sql of [
        'CREATE TABLE people(id int, name text, email text)',
        "INSERT INTO people VALUES (1,'Ada','ada@example.org'),(2,'Bob','bob@example.org')",
      ])
        assert.equal((await ws.fill('QueryDatabase', { database: 'main', sql })).type, 'filled', sql);
    });
    after(async () => {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
      ws.dispose();
    });
    const query = (sql: string, more: object = {}): ReturnType<Workspace['fill']> =>
      ws.fill(
        'QueryDatabase',
        { database: 'main', sql, ...more },
        { obligations: { ...noObligations, maskColumns: ['email'] } },
      );

    it('binds parameters', async () => {
      assert.equal(
        textOf(await query('SELECT id, name FROM people WHERE id = $1', { params: [2] })),
        'id\tname\n2\tBob',
      );
    });

    it('masks by the column that a result comes from', async () => {
      assert.equal(textOf(await query('SELECT id AS a, email AS b FROM people WHERE id = 1')).split('\n')[1], '1\t•••');
      assert.doesNotMatch(textOf(await query('SELECT lower(email) FROM people')), /example/);
    });

    it('keeps a reading statement from writing, also by a function', async () => {
      await query("CREATE FUNCTION sneak() RETURNS int LANGUAGE sql AS 'DELETE FROM people RETURNING 1'");
      const outcome = await query('SELECT sneak()');
      const left = await query('SELECT count(*) AS n FROM people');
      assert.equal(textOf(left).split('\n')[1], '2', textOf(outcome));
    });

    it('runs one statement only', async () => {
      assert.equal((await query('SELECT 1; DROP TABLE people')).type, 'failed');
      assert.equal(textOf(await query('SELECT count(*) AS n FROM people')).split('\n')[1], '2');
    });

    it('stops at the time that policy sets', async () => {
      const outcome = await ws.fill(
        'QueryDatabase',
        { database: 'main', sql: 'SELECT pg_sleep(20)' },
        { obligations: { ...noObligations, limits: { timeoutSeconds: 0.3, outputKiB: null, rows: null } } },
      );
      assert.ok(outcome.type === 'failed');
      assert.match(outcome.message, /timeout/);
    });
  });
}
