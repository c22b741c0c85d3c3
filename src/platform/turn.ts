import { setImmediate as nextTurn } from 'node:timers/promises';

/** A few of these, from several callers, still fit into a turn that nobody notices. */
const LONG_MS = 20;

let began: number | undefined;

/** Whether the present turn of the event loop has lasted long, counted from the first time that anybody asks in it. */
export function turnIsLong(): boolean {
  const now = performance.now();
  if (began !== undefined) return now - began > LONG_MS;
  began = now;
  setImmediate(() => {
    began = undefined;
  });
  return false;
}

/**
 * For work that takes long without waiting for anything: lets requests, streams and timers have a turn, if they have waited
 * for theirs. Work that has it often enough holds nobody up, however long it takes.
 */
export async function giveTurn(): Promise<void> {
  if (turnIsLong()) await nextTurn();
}
