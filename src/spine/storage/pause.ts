import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits 1 to 5 ms, so that contenders do not meet again. */
export async function pauseBriefly(): Promise<void> {
  await sleep(randomInt(1, 6));
}
