/** For speed: a commit in place of each line here takes 146 times as long. */
import { closeSync, ftruncateSync, futimesSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Micros } from '../../kernel/clock.ts';
import { isRecord, type LooseRecord } from '../../kernel/json/loose.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { parseJson } from './a2a/reply.ts';
import type { OtlpSpan } from './otlp/model.ts';
import { fromBody, type SpanBody, toBody } from './spans/body.ts';
import type { TaskRow } from './tasks/store.ts';

/** Whose log it is: what tells the next process whether its writer still lives. */
export interface LogOwner {
  readonly instance: string;
  readonly host: string;
  readonly pid: number;
}

export type LogEntry = { readonly projectId: string; readonly span: OtlpSpan } | { readonly task: TaskRow };

export interface CrashLog {
  /** When it returns, the entry outlives a kill. Answers what to call once the store has it; more than once is harmless. */
  note(entry: LogEntry): () => void;
  /** Says that its process lives. */
  touch(now: Micros): void;
  /** This process ends in order: the store has everything. */
  close(): void;
}

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

  function append(text: string): void {
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
    if (file === undefined) return;
    ftruncateSync(file, 0);
    size = 0;
    append(`${JSON.stringify(owner)}\n${[...missing.values()].join('')}`);
  }

  return {
    note(entry) {
      const id = next++;
      const written = 'span' in entry ? { projectId: entry.projectId, span: toBody(entry.span) } : entry;
      const line = `${JSON.stringify(written)}\n`;
      missing.set(id, line);
      append(line);
      return () => {
        if (missing.delete(id) && (missing.size === 0 || size > LARGEST_BYTES)) rewrite();
      };
    },
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

function entryOf(line: LooseRecord): LogEntry {
  const { span } = line;
  return (isRecord(span)
    ? { ...line, span: fromBody(span as unknown as SpanBody) }
    : line) as unknown as LogEntry;
}
