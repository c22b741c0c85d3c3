import type { Answer } from './answering-agent.ts';
import type { TracedAgent } from './traced-agent.ts';

export type Outcome = Answer['state'];

/** How the agent at the other end answers: it does as it is told. */
export async function answerByText({
  text,
  canceled,
}: {
  readonly text: string;
  readonly canceled: Promise<void>;
}): Promise<Answer> {
  if (text.startsWith('wait')) {
    await canceled;
    return { state: 'canceled', text: '' };
  }
  return text.startsWith('fail')
    ? { state: 'failed', text: 'It went wrong.' }
    : { state: 'completed', text: `You said: ${text}` };
}

const WORDS: Readonly<Record<Outcome, string>> = { completed: 'hello', failed: 'fail', canceled: 'wait' };

/** A canceled task has a burst more: the one that cancels it. */
export function burstsOfExample(outcome: Outcome): number {
  return outcome === 'canceled' ? 4 : 3;
}

/** Two of the speaker, four of the task (no reply where it is canceled), three of every time that it is asked about. */
export function spansOfExample(outcome: Outcome): number {
  return outcome === 'canceled' ? 11 : 9;
}

/**
 * One session, three bursts, each a trace of its own: A speaks; B works on it; A reads what came of it. Answers the id
 * of the task. `settled` is awaited before A reads, as A would come back later.
 */
export async function playWorkedExample(
  a: TracedAgent,
  to: string,
  sessionId: string,
  outcome: Outcome,
  settled: () => Promise<void>,
): Promise<string> {
  const said = await a.say({
    to,
    text: WORDS[outcome],
    sessionId,
    method: outcome === 'canceled' ? 'message/stream' : 'message/send',
    propagate: false,
  });
  const taskId =
    outcome === 'canceled' ? await cancelMidway(a, said.response, to, sessionId) : await idIn(said.response);
  await said.end({ id: taskId, state: outcome });
  await settled();
  await a.ask('tasks/get', { taskId, from: to, sessionId });
  return taskId;
}

async function idIn(response: Response): Promise<string> {
  const body = (await response.json()) as { result?: { id?: string }; error?: { message?: string } };
  if (!body.result?.id) throw new Error(body.error?.message ?? 'the answer names no task');
  return body.result.id;
}

async function cancelMidway(
  a: TracedAgent,
  response: Response,
  to: string,
  sessionId: string,
): Promise<string> {
  let text = '';
  let taskId: string | undefined;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(piece);
    if (taskId !== undefined || !text.includes('"working"')) continue;
    taskId = /"taskId":"([^"]+)"/.exec(text)?.[1];
    if (taskId) await a.ask('tasks/cancel', { taskId, from: to, sessionId });
  }
  if (!taskId) throw new Error('the stream names no task');
  return taskId;
}
