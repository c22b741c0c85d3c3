import { readdir } from 'node:fs/promises';
import { formatMillis } from '../../../kernel/instant.ts';
import { isRecord } from '../../../kernel/json/loose.ts';
import { tryParse } from '../parse.ts';
import { ifMissing, readText } from '../repository/files.ts';
import { within } from '../repository/paths.ts';
import { documentText, type LockedRepository, type RunRepository } from '../repository/repository.ts';
import { INTAKE_FOLDER, type NewIntent, type QueuedIntent } from './intent.ts';

const TITLE = 200;
const BODY = 20_000;

/** The queue, oldest first. */
export async function listIntents(root: string): Promise<readonly QueuedIntent[]> {
  const names = await readdir(within(root, INTAKE_FOLDER)).catch(ifMissing([] as string[]));
  const intents: QueuedIntent[] = [];
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const read = tryParse(await readText(within(root, `${INTAKE_FOLDER}/${name}`)));
    if (isRecord(read)) intents.push(read as unknown as QueuedIntent);
  }
  return intents.sort((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? -1 : 1));
}

/** Puts work into the queue. What was taken in before, from the same place, is left out. */
export async function addIntents(
  repository: RunRepository,
  wanted: readonly NewIntent[],
): Promise<readonly QueuedIntent[]> {
  return repository.exclusively(async (locked) => {
    const known = new Set((await listIntents(locked.root)).map(({ source }) => source.ref));
    const added = wanted
      .filter(({ source }) => source.ref === null || !known.has(source.ref))
      .map(
        (each, at): QueuedIntent => ({
          id: locked.newId('intent'),
          title: each.title.slice(0, TITLE),
          body: (each.body ?? '').slice(0, BODY),
          source: each.source,
          status: 'queued',
          run_id: null,
          created_at: formatMillis(locked.clock.now() + at * 1000),
        }),
      );
    await write(locked, added);
    return added;
  });
}

export async function markIntent(
  repository: RunRepository,
  id: string,
  changes: Pick<QueuedIntent, 'status' | 'run_id'>,
): Promise<void> {
  await repository.exclusively(async (locked) => {
    const intent = (await listIntents(locked.root)).find((each) => each.id === id);
    if (intent !== undefined) await write(locked, [{ ...intent, ...changes }]);
  });
}

async function write(locked: LockedRepository, intents: readonly QueuedIntent[]): Promise<void> {
  const files = intents.map((intent) => ({
    file: `${INTAKE_FOLDER}/${intent.id}.json`,
    text: documentText(intent),
  }));
  if (files.length > 0) await locked.write({ kind: 'intake', files });
}
