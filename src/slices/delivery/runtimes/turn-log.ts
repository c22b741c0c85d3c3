import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifMissing, readText } from '../repository/files.ts';
import { fileSafe, within } from '../repository/paths.ts';
import type { ActiveTurn } from '../run-state.ts';

const LARGEST = 8 * 1024 * 1024;

const FOLDER = '.agentxchain/logs';

/** Where the output of one attempt of a turn is kept, below the root. It is not part of the record. */
function turnLogPath(turnId: string, attempt: number): string {
  return `${FOLDER}/${fileSafe(turnId)}-attempt-${attempt}.log`;
}

/**
 * Writes what an agent prints to its log as it comes, so that a run can be followed from another terminal and what a
 * killed agent said last can still be read. A log that cannot be written never stops a turn.
 */
export function openTurnLog(root: string, turn: ActiveTurn): (chunk: string) => void {
  const file = within(root, turnLogPath(turn.turn_id, turn.attempt));
  let room = LARGEST;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  } catch {
    room = 0;
  }
  return (chunk) => {
    if (room <= 0) return;
    const kept = chunk.length <= room ? chunk : `${chunk.slice(0, room)}\n[the log ends here: it is full]\n`;
    room -= chunk.length;
    try {
      appendFileSync(file, kept);
    } catch {
      room = 0;
    }
  };
}

/** What an agent printed: in the attempt named, or the latest one of the turn named, or the latest of all. */
export async function readTurnLog(
  root: string,
  turnId?: string,
  attempt?: number,
): Promise<{ readonly file: string | null; readonly text: string }> {
  const names = await readdir(within(root, FOLDER)).catch(ifMissing([] as string[]));
  const wanted = names.filter(
    (name) =>
      (turnId === undefined || name.startsWith(`${fileSafe(turnId)}-attempt-`)) &&
      (attempt === undefined || name.endsWith(`-attempt-${attempt}.log`)),
  );
  const dated = await Promise.all(
    wanted.map(async (name) => ({ name, at: (await stat(within(root, `${FOLDER}/${name}`))).mtimeMs })),
  );
  const last = dated.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1)).at(-1);
  if (last === undefined) return { file: null, text: '' };
  const file = `${FOLDER}/${last.name}`;
  return { file, text: await readText(within(root, file)) };
}
