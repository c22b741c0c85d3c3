/** For speed: a commit in place of each line here takes 146 times as long. */
import { closeSync, ftruncateSync, futimesSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Micros } from '../../kernel/clock.ts';
import { isRecord, type LooseRecord } from '../../kernel/json/loose.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { parseJson } from './a2a/reply.ts';
import type { OtlpSpan } from './otlp/model.ts';
import type { CompletedTask } from './ports.ts';
import type { NewEvent } from './record-event.ts';
import { fromBody, type SpanBody, toBody } from './spans/body.ts';
import type { TaskRow } from './tasks/store.ts';

/** Whose log it is: what tells the next process whether its writer still lives. */
export interface LogOwner {
  readonly instance: string;
  readonly host: string;
  readonly pid: number;
}

/** A span that has begun. */
export interface OpenedEntry {
  readonly projectId: string;
  readonly span: OtlpSpan;
}

/** How a span ended: what stands in `ended` takes the place of what its beginning said. */
export interface EndedEntry {
  readonly projectId: string;
  readonly ended: OtlpSpan;
  /** What is written together with the span, once. */
  readonly event?: NewEvent | undefined;
  readonly deposit?: CompletedTask | undefined;
}

export type LogEntry = OpenedEntry | EndedEntry | { readonly task: TaskRow };

export interface CrashLog {
  /**
   * The entry outlives a kill once `flush` has returned. Answers what to call when the store has it; more than once is
   * harmless.
   */
  note(entry: LogEntry): () => void;
  flush(): void;
  /** Says that its process lives. */
  touch(now: Micros): void;
  /** This process ends in order: the store has everything. */
  close(): void;
}

/** A file of this size is written anew, if at least half of it is no longer needed. */
const LARGEST_BYTES = 4 * 1024 * 1024;

/**
 * What the relay knows and the store does not have yet, as lines of a file. A commit costs milliseconds and is shared by
 * many exchanges a little later; a line costs microseconds and is there when the process is killed in between. It is
 * not synced to the disk: what a power failure may take is what the last tenth of a second saw, never what was acknowledged as
 * stored. Once the store has everything the file is emptied.
 */
export function createCrashLog(path: string, owner: LogOwner): CrashLog {
  const missing = new Map<number, string>();
  let file: number | undefined;
  let size = 0;
  let next = 0;
  let unwritten = '';
  let missingLength = 0;

  function flush(): void {
    if (unwritten === '') return;
    const text = unwritten;
    unwritten = '';
    file ??= open();
    size += writeSync(file, text);
  }

  function open(): number {
    makePrivateFolder(dirname(path));
    const opened = openSync(path, 'a', 0o600);
    size = writeSync(opened, `${JSON.stringify(owner)}\n`);
    return opened;
  }

  function rewrite(): void {
    unwritten = '';
    if (file === undefined) return;
    ftruncateSync(file, 0);
    size = 0;
    unwritten = `${JSON.stringify(owner)}\n${[...missing.values()].join('')}`;
    flush();
  }

  return {
    note(entry) {
      const id = next++;
      const line = `${JSON.stringify(lineOf(entry))}\n`;
      missing.set(id, line);
      missingLength += line.length;
      unwritten += line;
      return () => {
        if (!missing.delete(id)) return;
        missingLength -= line.length;
        if (missing.size === 0 || (size > LARGEST_BYTES && size > 2 * missingLength)) rewrite();
      };
    },
    flush,
    touch(now) {
      if (file !== undefined) futimesSync(file, now / 1e6, now / 1e6);
    },
    close() {
      if (file === undefined) return;
      closeSync(file);
      file = undefined;
      rmSync(path, { force: true });
    },
  };
}

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
    // The last line of a process that was killed may be half of one.
    const [owner, ...entries] = (await readFile(path, 'utf8')).split('\n').map(parseJson);
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

function lineOf(entry: LogEntry): object {
  if ('span' in entry) return { ...entry, span: toBody(entry.span) };
  return 'ended' in entry ? { ...entry, ended: toBody(entry.ended) } : entry;
}

function entryOf(line: LooseRecord): LogEntry {
  const read: Record<string, unknown> = { ...line };
  for (const name of ['span', 'ended']) {
    const body = line[name];
    if (isRecord(body)) read[name] = fromBody(body as unknown as SpanBody);
  }
  return read as unknown as LogEntry;
}
