import { closeSync, ftruncateSync, futimesSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Micros } from '../../kernel/clock.ts';
import type { OtlpSpan } from './otlp/model.ts';
import { toBody } from './spans/body.ts';
import type { TaskRow } from './tasks/store.ts';

/** Whose log it is: what tells the next process whether its writer still lives. */
export interface LogOwner {
  readonly instance: string;
  readonly host: string;
  readonly pid: number;
}

export type LogEntry = { readonly projectId: string; readonly span: OtlpSpan } | { readonly task: TaskRow };

export interface OpenLog {
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
export function createOpenLog(path: string, owner: LogOwner): OpenLog {
  const missing = new Map<number, string>();
  let file: number | undefined;
  let size = 0;
  let next = 0;

  function append(text: string): void {
    file ??= open();
    size += writeSync(file, text);
  }

  function open(): number {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
