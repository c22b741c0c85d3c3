import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  readonly process: ChildProcess;
  /** Lines it has printed so far, whole ones only. */
  readonly lines: string[];
  printed(count: number): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  exited: Promise<number | null>;
}

/** Runs a bundled entry; arguments go to it as they are. */
export function startChild(bundle: string, ...args: string[]): Child {
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    for (const each of waiting) if (lines.length >= each.count) each.resolve();
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const drained = once(reader, 'close');
  return {
    process: child,
    lines,
    exited,
    async printed(count) {
      if (lines.length >= count) return;
      const enough = new Promise<void>((resolve) => waiting.push({ count, resolve }));
      const ended = exited
        .then(() => drained)
        .then(() => {
          if (lines.length < count) throw new Error(`the child ended after ${lines.length} lines`);
        });
      await Promise.race([enough, ended]);
    },
    async kill() {
      child.kill('SIGKILL');
      await Promise.all([exited, drained]);
    },
  };
}
