/** Messages of a client that keeps the process: `{"id": 1, "message": {…}}` a line, answered in any order by id. */
import { createInterface } from 'node:readline';
import type { Answer } from './run-hook.ts';

/** Ends with the input, when everything has been answered. */
export async function answerLines(
  answer: (text: string) => Promise<Answer>,
  write: (line: string) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, message } = JSON.parse(line) as { readonly id: number; readonly message: unknown };
    const told = answer(JSON.stringify(message)).then((given) =>
      write(`${JSON.stringify({ id, ...given })}\n`),
    );
    underWay.add(told);
    void told.finally(() => underWay.delete(told));
  }
  await Promise.all(underWay);
}
