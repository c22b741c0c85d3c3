/** What a hook hands on: the client's message, made fit, with what only a process beside the files can see. */
import { homedir, tmpdir } from 'node:os';
import type { ProjectFile } from '../../faces/cli/connect/binding.ts';
import { findWorkplace, type HookConnection, type Workplace } from './connection.ts';
import { eventName, type Message, realPaths, sendable } from './message.ts';
import { scriptsIn } from './scripts.ts';
import { lastSnapshot } from './snapshot.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Before a tool runs: the only events whose failure matters. */
export const DECIDING =
  /^(?:PreToolUse|BeforeTool|preToolUse|before(?:ShellExecution|MCPExecution|ReadFile)|tool\.execute\.before)$/;
/** At which the state of the repository is looked at. */
const CLOSING =
  /^(?:Stop|PreCompact|SessionEnd|AfterAgent|stop|preCompact|sessionEnd|session\.idle|session\.deleted|experimental\.session\.compacting)$/;

export interface HookOptions {
  readonly client: string;
  readonly dataDir: string;
}

/** Undefined where hooks have nothing to do. */
export async function hookRequest(
  { client, dataDir }: HookOptions,
  env: Environment,
  message: Message,
): Promise<(Workplace & { readonly body: HookRequest }) | undefined> {
  const cwd = folderOf(message);
  // An agent may have gone elsewhere; its session still belongs to where the client was started.
  const started = [env.CLAUDE_PROJECT_DIR, env.GEMINI_PROJECT_DIR, env.CURSOR_PROJECT_DIR];
  const folders = [cwd, ...started.filter((folder) => folder !== undefined)];
  const workplace = findWorkplace(dataDir, client, folders);
  if (!workplace) return undefined;
  return { ...workplace, body: await bodyOf(message, { cwd, dataDir, env, client, ...workplace }) };
}

function folderOf(message: Message): string {
  const { cwd, directory, workspace_roots: roots } = message;
  const given = [cwd, directory, Array.isArray(roots) ? roots[0] : undefined];
  return given.find((each) => typeof each === 'string' && each !== '') ?? process.cwd();
}

interface Surroundings extends HookOptions {
  readonly cwd: string;
  readonly repository: ProjectFile;
  readonly connection: HookConnection;
  readonly env: Environment;
}

async function bodyOf(message: Message, around: Surroundings) {
  const { cwd, repository, connection, dataDir, env } = around;
  const headless = isHeadless(env);
  const wait = Number(env.BATON_HOOK_WAIT);
  const given = env.BATON_HOOK_WAIT !== undefined && wait >= 0;
  const compaction =
    around.client === 'gemini' && eventName(message) === 'BeforeAgent'
      ? lastSnapshot(message.transcript_path)
      : undefined;
  const closing = CLOSING.test(eventName(message));
  const fit = sendable(message);
  const git = closing ? await (await import('./git-state.ts')).gitState(repository.root) : undefined;
  const calls = closing
    ? (await import('./finished-calls.ts')).finishedCalls(around.client, message.transcript_path)
    : [];
  return {
    message: fit,
    place: {
      cwd,
      root: repository.root,
      home: homedir(),
      data: dataDir,
      temporary: tmpdir(),
      platform: process.platform,
      real: realPaths(fit, cwd),
      ...(DECIDING.test(eventName(message)) && { scripts: scriptsIn(fit, cwd, Date.now()) }),
    },
    headless,
    prompts: connection.hooks?.prompts !== false,
    ...(given && { wait_seconds: Math.min(wait, 600) }),
    ...(git && { git }),
    ...(calls.length > 0 && { calls: sendable({ calls }).calls }),
    ...(compaction !== undefined && { compaction }),
    ...(connection.atlas && { atlas: { id: connection.atlas.id } }),
  };
}
export type HookRequest = Awaited<ReturnType<typeof bodyOf>>;

/** Claude Code says so in the environment; others in the message. */
function isHeadless(env: Environment): boolean {
  return env.CLAUDE_CODE_SESSION_ATTENDED === '0' || env.CLAUDE_CODE_ENTRYPOINT === 'sdk-cli';
}
