import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

type Call = () => unknown;

/** The child's side: answers each name that it is sent with what its function returns. */
export function answerCalls(calls: Readonly<Record<string, Call>>): void {
  process.on('message', async (name: string) => {
    process.send?.({ answer: await calls[name]?.() });
  });
  process.send?.('ready');
}

export interface OwnProcess {
  /** One call at a time. */
  call<T>(name: string): Promise<T>;
  /** For signals. */
  readonly pid: number;
  close(): void;
}

export interface OwnProcessOptions {
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a script in a process of its own, bundled as the cases are. Contenders that share a process share its
 * optimizer and its garbage, and one that faults takes the others with it.
 */
export async function ownProcess(
  script: URL,
  bundles: URL,
  { nodeFlags = [], env = {} }: OwnProcessOptions = {},
): Promise<OwnProcess> {
  const source = fileURLToPath(script);
  const name = basename(source, '.ts');
  const file = fileURLToPath(new URL(`contender-${name}.mjs`, bundles));
  await bundle(source, file);
  const child = fork(file, { execArgv: [...nodeFlags], env: { ...process.env, ...env } });
  await nextMessage(child, name);
  return {
    pid: child.pid as number,
    async call<T>(call: string) {
      child.send(call);
      return ((await nextMessage(child, name)) as { answer: T }).answer;
    },
    close: () => void child.kill(),
  };
}

function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) =>
      reject(new Error(`${name} ended with ${signal ?? `status ${code}`}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });
}
