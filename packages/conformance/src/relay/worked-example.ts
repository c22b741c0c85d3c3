import type { Answer, IncomingTask } from './answering-agent.ts';
import type { TracedAgent } from './traced-agent.ts';

export type Outcome = Answer['state'];

/** The agent at the other end completes, fails or waits to be canceled, as the message says. */
export async function answerByText({
  text,
  canceled,
}: Pick<IncomingTask, 'text' | 'canceled'>): Promise<Answer> {
  if (text.startsWith('wait')) {
    await canceled;
    return { state: 'canceled', text: '' };
  }
  return text.startsWith('fail')
    ? { state: 'failed', text: 'It went wrong.' }
    : { state: 'completed', text: `You said: ${text}` };
}

const WORDS: Readonly<Record<Outcome, string>> = { completed: 'hello', failed: 'fail', canceled: 'wait' };

/** A canceled task has one burst more: the cancellation. */
export function burstsOfExample(outcome: Outcome): number {
  return outcome === 'canceled' ? 4 : 3;
}

/** Two of the speaker, four of the task (three if canceled: no reply), and three for each call about the task. */
export function spansOfExample(outcome: Outcome): number {
  return outcome === 'canceled' ? 11 : 9;
}

/**
 * One session, three bursts, each a trace of its own: A speaks, B works, A reads the outcome. Returns the id of the
 * task. `settled` is awaited before A reads, as A would come back later.
 */
export async function playWorkedExample(
  a: TracedAgent,
  to: string,
  sessionId: string,
  outcome: Outcome,
  settled: () => Promise<void>,
): Promise<string> {
  const cancels = outcome === 'canceled';
  const method = cancels ? 'message/stream' : 'message/send';
  const sent = await a.send({ to, text: WORDS[outcome], sessionId, method, propagate: false });
  const taskId = cancels ? await cancelMidway(a, sent.response, to, sessionId) : await idIn(sent.response);
  await sent.end({ id: taskId, state: outcome });
  await settled();
  await a.callTask('tasks/get', { taskId, from: to, sessionId });
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
    if (taskId) await a.callTask('tasks/cancel', { taskId, from: to, sessionId });
  }
  if (!taskId) throw new Error('the stream names no task');
  return taskId;
}
