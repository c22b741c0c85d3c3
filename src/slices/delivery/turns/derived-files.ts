import { containedPath } from '../path-rules.ts';
import type { HistoryRow } from '../records.ts';
import { fileSafe } from '../repository/paths.ts';
import { documentText } from '../repository/repository.ts';
import { talkSection } from './rules/talk.ts';
import type { TurnResult } from './turn-result.ts';

/** What an accepted turn leaves to be read or applied: a reviewer's review, a proposer's proposal. */
export function derivedFiles(
  result: TurnResult,
  row: HistoryRow,
): readonly { readonly file: string; readonly text: string }[] {
  const files: { file: string; text: string }[] = [];
  if (result.artifact.type === 'review') {
    files.push({
      file: `.agentxchain/reviews/${fileSafe(row.turn_id)}-${fileSafe(row.role)}-review.md`,
      text: talkSection(row, result),
    });
  }
  const changes = result.proposed_changes ?? [];
  if (changes.length === 0) return files;
  const root = `.agentxchain/proposed/${fileSafe(row.turn_id)}`;
  files.push({
    file: `${root}/PROPOSAL.json`,
    text: documentText({
      turn_id: row.turn_id,
      role: row.role,
      changes: changes.map(({ path, action }) => ({ path, action })),
    }),
  });
  for (const change of changes) {
    const path = containedPath(change.path);
    if (change.action !== 'delete' && path !== undefined)
      files.push({ file: `${root}/files/${path}`, text: change.content ?? '' });
  }
  return files;
}
