import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { applyAccepted, type Ticket } from '../../src/vscode/diff/apply.js';
import { chooseRest, choose, openReview, type Change } from '../../src/vscode/diff/change.js';

/** A folder of its own for each test, outside the workspace. */
let folder = '';
const file = (name: string): string => path.join(folder, name);
const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const ticket = (before: string | Uint8Array | null, isStillTrue = true): Ticket => ({
  isStillTrue: () => Promise.resolve(isStillTrue),
  before: typeof before === 'string' ? utf8(before) : before,
  encode: utf8,
});

function edit(name: string, before: string, after: string): Change {
  return {
    id: name,
    sessionId: 's',
    verb: 'edit',
    path: file(name),
    from: null,
    before: { type: 'text', text: before },
    after: { type: 'text', text: after },
    description: '',
  };
}

describe('writing what was accepted', () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-apply-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the accepted hunk and leaves the rejected one', async () => {
    const before = 'a\nb\nc\nd\ne\n';
    writeFileSync(file('x.txt'), before);
    let review = openReview(edit('x.txt', before, 'A\nb\nc\nd\nE\n'), false);
    review = choose(choose(review, 0, 'accepted'), 1, 'rejected');
    assert.deepEqual(await applyAccepted([{ review, ticket: ticket(before) }]), { type: 'written', notes: [] });
    assert.equal(readFileSync(file('x.txt'), 'utf8'), 'A\nb\nc\nd\ne\n');
  });

  for (const [note, before, after] of [
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['no line end at the end', 'a\nb', 'a\nb\nc'],
    ['mixed line ends', 'a\r\nb\nc\r\n', 'a\r\nB\nc\r\n'],
    ['an empty file', '', 'a\n'],
    ['everything taken out', 'a\nb\n', ''],
  ] as const) {
    it(`keeps every other byte: ${note}`, async () => {
      writeFileSync(file('x.txt'), before);
      const review = chooseRest(openReview(edit('x.txt', before, after), false), 'accepted');
      const applied = await applyAccepted([{ review, ticket: ticket(before) }]);
      assert.equal(applied.type, 'written');
      assert.equal(readFileSync(file('x.txt'), 'utf8'), after);
    });
  }

  it('keeps a byte order mark', async () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    writeFileSync(file('x.txt'), Buffer.concat([mark, utf8('a\nb\n')]));
    const review = chooseRest(openReview(edit('x.txt', 'a\nb\n', 'a\nB\n'), false), 'accepted');
    const withMark: Ticket = { ...ticket(null), encode: (text) => Buffer.concat([mark, utf8(text)]) };
    assert.equal((await applyAccepted([{ review, ticket: withMark }])).type, 'written');
    assert.deepEqual(readFileSync(file('x.txt')), Buffer.concat([mark, utf8('a\nB\n')]));
  });

  it('writes an encoding that the editor would not read, byte for byte', async () => {
    const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
    const before = latin('caf\u00e9\nb\n');
    writeFileSync(file('x.txt'), before);
    const review = chooseRest(openReview(edit('x.txt', 'caf\u00e9\nb\n', 'caf\u00e9\nB\n'), false), 'accepted');
    const applied = await applyAccepted([{ review, ticket: { ...ticket(before), encode: latin } }]);
    assert.equal(applied.type, 'written');
    assert.deepEqual(readFileSync(file('x.txt')), latin('caf\u00e9\nB\n'));
  });

  it('makes, deletes and moves files in one go', async () => {
    mkdirSync(file('old'));
    writeFileSync(file('gone.txt'), 'g');
    writeFileSync(file('old/name.txt'), 'n');
    const made: Change = { ...edit('new/made.txt', '', 'm\n'), verb: 'create', before: { type: 'absent' } };
    const gone: Change = { ...edit('gone.txt', 'g', ''), verb: 'delete', after: { type: 'absent' } };
    const moved: Change = { ...edit('new/name.txt', 'n', 'n'), verb: 'move', from: file('old/name.txt') };
    const accepted = [made, gone, moved].map((change) => ({
      review: chooseRest(openReview(change, false), 'accepted'),
      ticket: ticket(change.verb === 'create' ? null : 'g'),
    }));
    assert.deepEqual(await applyAccepted(accepted), { type: 'written', notes: [] });
    assert.equal(readFileSync(file('new/made.txt'), 'utf8'), 'm\n');
    assert.equal(readFileSync(file('new/name.txt'), 'utf8'), 'n');
    assert.ok(!existsSync(file('gone.txt')) && !existsSync(file('old/name.txt')));
  });

  it('writes nothing at all when one of several cannot be written', async () => {
    writeFileSync(file('x.txt'), 'a\n');
    const first = edit('x.txt', 'a\n', 'b\n');
    const second: Change = { ...edit('x.txt/below.txt', '', 'new\n'), verb: 'create', before: { type: 'absent' } };
    const accepted = [first, second].map((change) => ({
      review: chooseRest(openReview(change, false), 'accepted'),
      ticket: ticket(change === first ? 'a\n' : null),
    }));
    const applied = await applyAccepted(accepted);
    assert.equal(applied.type, 'failed');
    assert.equal(readFileSync(file('x.txt'), 'utf8'), 'a\n');
    assert.ok(!vscode.workspace.textDocuments.some((document) => document.isDirty));
  });

  it('leaves a file alone that came to stand where a new one was to go', async () => {
    writeFileSync(file('x.txt'), 'a\n');
    writeFileSync(file('taken.txt'), 'here already');
    const first = edit('x.txt', 'a\n', 'b\n');
    const second: Change = { ...edit('taken.txt', '', 'new\n'), verb: 'create', before: { type: 'absent' } };
    const accepted = [first, second].map((change) => ({
      review: chooseRest(openReview(change, false), 'accepted'),
      ticket: ticket(change === first ? 'a\n' : null),
    }));
    assert.equal((await applyAccepted(accepted)).type, 'outdated');
    assert.equal(readFileSync(file('x.txt'), 'utf8'), 'a\n');
    assert.equal(readFileSync(file('taken.txt'), 'utf8'), 'here already');
  });

  // Nobody may make a file there, root included.
  if (existsSync('/sys/power'))
    it('says what may be wrong when the folder may not be written', async () => {
      const path = '/sys/power/made.txt';
      const made: Change = { ...edit('x', '', 'new\n'), path, verb: 'create', before: { type: 'absent' } };
      const review = chooseRest(openReview(made, false), 'accepted');
      const applied = await applyAccepted([{ review, ticket: ticket(null) }]);
      assert.equal(applied.type, 'failed');
      assert.match(applied.type === 'failed' ? applied.message : '', /read-only|permi/i);
      assert.deepEqual(applied.type === 'failed' && applied.damage, []);
      assert.ok(!existsSync(path));
    });

  it('writes nothing when the file has changed since', async () => {
    writeFileSync(file('x.txt'), 'changed\n');
    const review = chooseRest(openReview(edit('x.txt', 'a\n', 'b\n'), false), 'accepted');
    assert.deepEqual(await applyAccepted([{ review, ticket: ticket('a\n', false) }]), { type: 'outdated' });
    assert.equal(readFileSync(file('x.txt'), 'utf8'), 'changed\n');
  });

  it('writes nothing over text that is not saved', async () => {
    writeFileSync(file('x.txt'), 'a\n');
    const document = await vscode.workspace.openTextDocument(file('x.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'mine ');
    await vscode.workspace.applyEdit(typing);
    const review = chooseRest(openReview(edit('x.txt', 'a\n', 'b\n'), false), 'accepted');
    assert.deepEqual(await applyAccepted([{ review, ticket: ticket('a\n') }]), { type: 'outdated' });
    assert.equal(document.getText(), 'mine a\n');
    await document.save();
  });

  it('can be undone in the editor', async () => {
    writeFileSync(file('x.txt'), 'a\n');
    const review = chooseRest(openReview(edit('x.txt', 'a\n', 'b\n'), false), 'accepted');
    await applyAccepted([{ review, ticket: ticket('a\n') }]);
    await vscode.window.showTextDocument(vscode.Uri.file(file('x.txt')));
    await vscode.commands.executeCommand('undo');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'a\n');
    await vscode.commands.executeCommand('workbench.action.files.save');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
