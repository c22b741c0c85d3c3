import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hookWords, type Launch } from '../connect/launch.ts';

type Message = Readonly<Record<string, unknown>>;
type Messages = (session: string, root: string) => { readonly start: Message; readonly end: Message };

const named =
  (start: string, end: string): Messages =>
  (session, root) => {
    const base = { session_id: session, transcript_path: null, cwd: root };
    return {
      start: { ...base, hook_event_name: start, source: 'startup' },
      end: { ...base, hook_event_name: end, reason: 'other' },
    };
  };

/** The first and the last message of a session, as each client sends them. */
const messages: Readonly<Record<string, Messages>> = {
  'claude-code': named('SessionStart', 'SessionEnd'),
  codex: named('SessionStart', 'SessionEnd'),
  gemini: named('SessionStart', 'SessionEnd'),
  cursor: (session, root) => {
    const base = { conversation_id: session, session_id: session, workspace_roots: [root] };
    return {
      start: { ...base, hook_event_name: 'sessionStart' },
      end: { ...base, hook_event_name: 'sessionEnd', reason: 'completed' },
    };
  },
  opencode: (session, root) => ({
    start: { hook: 'session.created', session, cwd: root, input: {}, output: {} },
    end: { hook: 'session.deleted', session, cwd: root, input: {}, output: {} },
  }),
};

/** Begins and ends a session as the client would, with the program that the client starts. */
export async function sendEvent(
  launch: Launch,
  client: string,
  root: string,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const of = messages[client]?.(`baton-doctor-${randomUUID()}`, root);
  if (!of) return { code: 0, stdout: 'no hooks' };
  const answer = await send(launch, client, root, of.start);
  await send(launch, client, root, of.end);
  return answer;
}

function send(launch: Launch, client: string, cwd: string, message: Message) {
  const [command = '', ...args] = hookWords(launch, client);
  return new Promise<{ readonly code: number | null; readonly stdout: string }>((done, failed) => {
    const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, stdout }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(message));
  });
}
