import type { Socket } from 'node:net';
import type pg from 'pg';

const LOOK_MS = 1_000;
/** A server that is alive answers a small question within this, whatever else it has to do. */
const LOOKS = 8;

/**
 * What a server answers; if it says nothing for so long, it is frozen or cut off, which no connection notices by itself.
 * Counted in looks: who was frozen for as long, and not the server, has looked once.
 */
export async function answerOf<T>(asked: Promise<T>, onSilence: () => void): Promise<T> {
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (looks === LOOKS) onSilence();
  }, LOOK_MS);
  timer.unref();
  try {
    return await asked;
  } finally {
    clearInterval(timer);
  }
}

/** As if the line had broken: whoever waits for an answer is told at once. */
export function breakOff(client: pg.ClientBase): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  connection.stream.destroy();
}
