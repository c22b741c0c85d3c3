import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commit, replayJournal } from './transaction.ts';

const FILE = '.agentxchain/history.jsonl';
const writes = (text: string) => ({
  kind: 'test',
  appends: [{ file: FILE, text }],
  replaces: [],
  removes: [],
});
const dieAt = (point: string) => (step: string) => {
  if (step === point) throw new Error('power lost');
};

describe('a change to the repository files', () => {
  let root: string;
  const path = (file: string) => join(root, file);
  const read = () => readFileSync(path(FILE), 'utf8');
  const places = () => ({
    root,
    copies: path('keep/files'),
    journal: path('keep/journal'),
    governs: (file: string) => file === FILE,
  });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'baton-txn-'));
    mkdirSync(path('.agentxchain'));
    writeFileSync(path(FILE), '{"turn_id":"a"}\n');
    mkdirSync(path('keep/files/.agentxchain'), { recursive: true });
    writeFileSync(path(`keep/files/${FILE}`), '{"turn_id":"a"}\n');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('that was cut off in the middle of an append is finished without a torn row', async () => {
    const row = '{"turn_id":"b"}\n';
    await expect(commit(places(), 'txn_1', 't', writes(row), dieAt(`append:${FILE}`))).rejects.toThrow(
      'power lost',
    );
    appendFileSync(path(FILE), row.slice(0, 7));
    await replayJournal(places());
    expect(read()).toBe('{"turn_id":"a"}\n{"turn_id":"b"}\n');
  });

  it('that was appended but not closed is not appended again', async () => {
    const row = '{"turn_id":"b"}\n';
    await expect(commit(places(), 'txn_1', 't', writes(row), dieAt('drop-journal'))).rejects.toThrow(
      'power lost',
    );
    await replayJournal(places());
    await replayJournal(places());
    expect(read()).toBe('{"turn_id":"a"}\n{"turn_id":"b"}\n');
  });

  it('keeps rows that another program wrote in between', async () => {
    const row = '{"turn_id":"b"}\n';
    await expect(commit(places(), 'txn_1', 't', writes(row), dieAt(`append:${FILE}`))).rejects.toThrow(
      'power lost',
    );
    appendFileSync(path(FILE), '{"turn_id":"foreign"}\n');
    await replayJournal(places());
    expect(read()).toBe('{"turn_id":"a"}\n{"turn_id":"foreign"}\n{"turn_id":"b"}\n');
  });

  it('cuts off a torn tail before it appends', async () => {
    appendFileSync(path(FILE), '{"turn_');
    await commit(places(), 'txn_1', 't', writes('{"turn_id":"b"}\n'), () => {});
    expect(read()).toBe('{"turn_id":"a"}\n{"turn_id":"b"}\n');
  });

  it('never cuts prose: a log that a person left without a newline keeps its last line', async () => {
    writeFileSync(path('TALK.md'), 'A remark by a person');
    const talk = {
      kind: 'test',
      appends: [{ file: 'TALK.md', text: '\n## 1\n' }],
      replaces: [],
      removes: [],
    };
    await commit(places(), 'txn_1', 't', talk, () => {});
    expect(readFileSync(path('TALK.md'), 'utf8')).toBe('A remark by a person\n## 1\n');
  });

  it('is finished from the copy when somebody has cut the file meanwhile', async () => {
    await expect(
      commit(places(), 'txn_1', 't', writes('{"x":1}\n'), dieAt(`append:${FILE}`)),
    ).rejects.toThrow();
    writeFileSync(path(FILE), '');
    await replayJournal(places());
    expect(read()).toBe('{"turn_id":"a"}\n{"x":1}\n');
  });

  it('refuses to go on when a file that nobody keeps a copy of has become shorter', async () => {
    writeFileSync(path('TALK.md'), 'Said');
    const talk = { kind: 'test', appends: [{ file: 'TALK.md', text: 'More' }], replaces: [], removes: [] };
    await expect(commit(places(), 'txn_1', 't', talk, dieAt('append:TALK.md'))).rejects.toThrow();
    writeFileSync(path('TALK.md'), '');
    await expect(replayJournal(places())).rejects.toMatchObject({ code: 'journal_conflict' });
  });

  it('that had only begun to be journalled is forgotten', async () => {
    mkdirSync(path('keep/journal'), { recursive: true });
    const half = path('keep/journal/txn_9.json.1-1.tmp');
    writeFileSync(half, '{"id":"txn_9","app');
    await replayJournal(places());
    expect(existsSync(half)).toBe(false);
    expect(read()).toBe('{"turn_id":"a"}\n');
  });
});
