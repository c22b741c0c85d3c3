import { spawn } from 'node:child_process';
import type { Machine } from './machine.ts';
import type { Step } from './model/script.ts';
import { type BeforeStep, playModel } from './model/scripted-model.ts';
import type { ClientProgram, Start } from './programs/program.ts';

export interface Session {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the model was sent for each of its turns. */
  readonly turns: readonly string[];
  /** Steps of the script that the client never asked for. */
  readonly left: number;
}

const HUNG_AFTER_MS = 300_000;

/** Runs one session of a real client to its end, headlessly, with a model that follows the script. */
export async function runSession(
  client: ClientProgram,
  folder: string,
  machine: Machine,
  given: Omit<Start, 'modelUrl'> & {
    readonly script: readonly Step[];
    readonly before?: BeforeStep;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<Session> {
  const model = await playModel(client.wire, given.script, given.before);
  try {
    const { command, args, env } = client.launch(folder, machine, { ...given, modelUrl: model.url });
    const child = spawn(command, args, {
      cwd: given.repository,
      env: { ...machine.env, ...env, ...given.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HUNG_AFTER_MS,
      killSignal: 'SIGKILL',
    });
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject)),
    ]);
    if (model.failures.length > 0) throw model.failures[0];
    return { code, stdout, stderr, turns: model.turns, left: model.left() };
  } finally {
    await model.close();
  }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
