import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, type LooseRecord } from '../../kernel/json/loose.ts';
import type { LogEntry, LogOwner } from './crash-log.ts';
import { fromBody, type SpanBody } from './spans/body.ts';

const LOG_FOLDER = 'relay';
const LOG_NAME = /^open-(.+)\.jsonl$/;

export function logPath(dataDir: string, instance: string): string {
  return join(dataDir, LOG_FOLDER, `open-${instance}.jsonl`);
}

export interface LeftLog {
  readonly owner: LogOwner;
  /** When something was last written, in microseconds. */
  readonly seen: number;
  readonly entries: readonly LogEntry[];
  remove(): Promise<void>;
}

/** The logs of other processes, living or not. */
export async function readLogs(dataDir: string, instance: string): Promise<LeftLog[]> {
  const folder = join(dataDir, LOG_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => ![undefined, instance].includes(LOG_NAME.exec(name)?.[1]));
  const logs = await Promise.all(others.map((name) => readLog(join(folder, name))));
  return logs.filter((log) => log !== undefined);
}

async function readLog(path: string): Promise<LeftLog | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    const [owner, ...entries] = (await readFile(path, 'utf8')).split('\n').map(readLine);
    return {
      owner: isRecord(owner) ? (owner as unknown as LogOwner) : { instance: '', host: '', pid: 0 },
      seen: Math.round(mtimeMs * 1000),
      entries: entries.filter(isRecord).map(entryOf),
      remove: () => rm(path, { force: true }),
    };
  } catch {
    // Gone meanwhile: its process ended in order, or another one took care of it.
    return undefined;
  }
}

function entryOf(line: LooseRecord): LogEntry {
  const { span } = line;
  return (isRecord(span)
    ? { ...line, span: fromBody(span as unknown as SpanBody) }
    : line) as unknown as LogEntry;
}

/** The last line of a process that was killed may be half of one. */
function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
