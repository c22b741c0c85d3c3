import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CrashLog, createCrashLog, logPath, readLogs } from './crash-log.ts';

const OWNER = { instance: 'a', host: 'here', pid: 7 };

let dataDir: string;
let log: CrashLog;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'baton-open-log-'));
  const made = createCrashLog(logPath(dataDir, 'a'), OWNER);
  log = {
    ...made,
    note(entry) {
      const stored = made.note(entry);
      made.flush();
      return stored;
    },
  };
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const span = (spanId: string) => ({
  projectId: 'p',
  span: { traceId: '', spanId, name: '', kind: 1, startTimeUnixNano: '0', endTimeUnixNano: '0' },
});
const spansSeenBy = async (instance: string) =>
  (await readLogs(dataDir, instance)).flatMap(({ entries }) =>
    entries.map((entry) => ('span' in entry ? entry.span.spanId : '')),
  );

it('shows another process what the store does not have yet, and nothing once it has all', async () => {
  const first = log.note(span('1'));
  const second = log.note(span('2'));
  expect(await spansSeenBy('b')).toEqual(['1', '2']);
  first();
  first();
  second();
  expect(await spansSeenBy('b')).toEqual([]);
  log.note(span('3'));
  expect(await spansSeenBy('b')).toEqual(['3']);
  expect(await readLogs(dataDir, 'b')).toMatchObject([{ owner: OWNER }]);
});

it('is not read by its own process, and is gone when that ends in order', async () => {
  log.note(span('1'));
  expect(await readLogs(dataDir, 'a')).toEqual([]);
  log.close();
  expect(await readLogs(dataDir, 'b')).toEqual([]);
});

it('stays small however long the store always lacks something', async () => {
  const large = 'x'.repeat(100_000);
  log.note(span('kept'));
  for (let i = 0; i < 100; i += 1) log.note(span(large))();
  expect(readFileSync(logPath(dataDir, 'a')).length).toBeLessThan(5_000_000);
  expect(await spansSeenBy('b')).toContain('kept');
});

it('is made only when there is something to note', async () => {
  expect(await readLogs(dataDir, 'b')).toEqual([]);
});

it('is not written anew again and again while most of it is still needed', () => {
  const large = 'x'.repeat(100_000);
  const stored = Array.from({ length: 60 }, (_, n) => log.note(span(`${n} ${large}`)));
  const path = logPath(dataDir, 'a');
  const before = readFileSync(path).length;
  for (const release of stored.slice(0, 20)) release();
  expect(readFileSync(path).length).toBe(before);
  for (const release of stored.slice(20, 40)) release();
  expect(readFileSync(path).length).toBeLessThan(before / 1.5);
});
