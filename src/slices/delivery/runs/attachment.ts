import { asString, isRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';
import { readText } from '../repository/files.ts';
import { type Attachment, readRecord } from '../repository/keep.ts';
import { FILES, within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';

type Place = Pick<RunRepository, 'root' | 'keep'>;

/** The project that decides for this repository; null where the files decide. */
export async function attachmentOf({ root, keep }: Place): Promise<Attachment | null> {
  const { attached } = await readRecord(keep);
  if (attached !== null) return attached;
  // Whoever runs Baton with another data directory finds at least the note.
  const note = tryParse(await readText(within(root, FILES.attached)));
  const id = isRecord(note) ? asString(note.repository_id) : undefined;
  return isRecord(note) && id !== undefined
    ? { repository_id: id, project_id: asString(note.project_id) ?? '' }
    : null;
}

/** Decisions on an attached run come from its inbox, where a credential and its presence rule stand behind them. */
export async function requireCredential(place: Place, credentialed: boolean | undefined): Promise<void> {
  if (credentialed === true || (await attachmentOf(place)) === null) return;
  throw deliveryErrors.gate_attached();
}

/** For whoever decides, and whoever reads of it, where nothing but the files stands behind a decision. */
export const UNATTACHED =
  'This run is not attached to a project: whoever can write here can decide at its gates (baton run attach).';
