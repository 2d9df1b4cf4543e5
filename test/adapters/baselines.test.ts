import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuditFolder } from '../../src/adapters/auditFile.js';
import { Baselines } from '../../src/adapters/baselines.js';
import { hasher } from '../../src/adapters/system.js';
import type { Impact } from '../../src/core/session/impact.js';
import { ORDINARY } from '../../src/core/session/labels.js';

const impact: Impact = {
  kind: 'ExecuteShell',
  summary: 'ran git status',
  context: ORDINARY,
  sources: [],
  files: [],
  variables: [],
  staged: null,
  committed: null,
  keys: [],
  destroyed: [],
  isIrreversible: false,
  isProgress: false,
  fingerprint: { exact: 'a', near: 'a' },
  risk: 0,
  riskReasons: [],
  fit: 'none',
  planStep: null,
  behaviour: ['kind:ExecuteShell', 'program:git'],
};

describe('baselines in files', () => {
  let folder = '';
  const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
  const parts = (): { audits: AuditFolder; baselines: Baselines } => {
    const audits = new AuditFolder(path.join(folder, 'audit'), { hasher, clock });
    return { audits, baselines: new Baselines(path.join(folder, 'baselines'), audits, { hasher, clock }) };
  };
  const age = (audits: AuditFolder, sessionId: string): void => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(audits.fileOf(sessionId), hourAgo, hourAgo);
  };
  async function session(audits: AuditFolder, sessionId: string, root = '/w', steps = 3): Promise<void> {
    const sink = audits.open(sessionId);
    await sink.append({
      type: 'session',
      event: { type: 'started', atMs: 1, sessionId, mode: 'balanced', roots: [root] },
    });
    for (let step = 0; step < steps; step++)
      await sink.append({
        type: 'session',
        event: {
          type: 'decided',
          atMs: 2,
          lacunaId: `l${step}`,
          parentId: null,
          depth: 0,
          subagent: null,
          verdict: 'allow',
          by: 'rule',
          isPermitted: true,
          refused: [],
          impact,
          lends: null,
        },
      });
    age(audits, sessionId);
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-baselines-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('learns each past session of the same folders once', async () => {
    const { audits, baselines } = parts();
    await session(audits, 'one');
    await session(audits, 'two');
    await session(audits, 'elsewhere', '/other');
    assert.equal(baselines.usual(['/w'], 'now').sessions, 2);
    assert.equal(baselines.usual(['/w'], 'now').sessions, 2);
    assert.equal(parts().baselines.usual(['/w'], 'now').steps, 6);
    assert.equal(baselines.usual(['/other'], 'now').sessions, 1);
  });

  it('leaves out the session itself and those that may go on', async () => {
    const { audits, baselines } = parts();
    await session(audits, 'now');
    await session(audits, 'busy');
    utimesSync(audits.fileOf('busy'), new Date(), new Date());
    assert.equal(baselines.usual(['/w'], 'now').sessions, 0);
  });

  it('learns nothing from an audit that somebody changed', async () => {
    const { audits, baselines } = parts();
    await session(audits, 'one');
    appendFileSync(audits.fileOf('one'), '{"v":1}\n');
    age(audits, 'one');
    assert.equal(baselines.usual(['/w'], 'now').sessions, 0);
  });

  it('starts anew where its file is gone or damaged', async () => {
    const { audits, baselines } = parts();
    await session(audits, 'one');
    baselines.usual(['/w'], 'now');
    const [file = ''] = readdirSync(path.join(folder, 'baselines'));
    writeFileSync(path.join(folder, 'baselines', file), '{"v":1,"baseline":{"words":');
    assert.equal(baselines.known(['/w']).sessions, 0);
    assert.equal(baselines.usual(['/w'], 'now').sessions, 1);
    rmSync(path.join(folder, 'baselines', file));
    assert.equal(baselines.usual(['/w'], 'now').sessions, 1);
  });

  it('forgets: what was before counts no more', async () => {
    const { audits, baselines } = parts();
    await session(audits, 'one');
    baselines.usual(['/w'], 'now');
    baselines.forget(['/w']);
    assert.equal(baselines.usual(['/w'], 'now').sessions, 0);
  });
});
