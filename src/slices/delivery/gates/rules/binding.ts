import { asRecord, isString } from '../../../../kernel/json/loose.ts';
import { containedPath } from '../../path-rules.ts';
import type { HistoryRow, LedgerRow } from '../../records.ts';

/** A document counts at a gate of the run in which a turn wrote it, as that turn left it. */
interface Writer {
  readonly who: string;
  /** Null where another runner accepted the turn and noted no digest. */
  readonly digest: string | null;
}

/** Why documents do not count, by path. `now` has the content hashes of those that are there. */
export function unboundDocuments(
  now: Readonly<Record<string, string | null>>,
  history: readonly HistoryRow[],
  ledger: readonly LedgerRow[],
  runId: string | null,
): ReadonlyMap<string, string> {
  const writers = writersOf(history, ledger, runId);
  const faults = new Map<string, string>();
  for (const [path, digest] of Object.entries(now)) {
    if (digest === null) continue;
    const writer = writers.get(path);
    if (writer === undefined)
      faults.set(path, `${path} is from before this run: a turn of this run has to write it.`);
    else if (writer.digest !== null && writer.digest !== digest)
      faults.set(path, `${path} is not as ${writer.who} left it.`);
  }
  return faults;
}

function writersOf(
  history: readonly HistoryRow[],
  ledger: readonly LedgerRow[],
  runId: string | null,
): ReadonlyMap<string, Writer> {
  const dated: { at: string; path: string; writer: Writer }[] = [];
  for (const row of history) {
    const at = row.accepted_at;
    if (row.gate_documents === undefined) {
      for (const path of row.files_changed)
        dated.push({ at, path: containedPath(path) ?? path, writer: { who: row.turn_id, digest: null } });
      continue;
    }
    for (const [path, digest] of Object.entries(asRecord(row.gate_documents)))
      dated.push({ at, path, writer: { who: row.turn_id, digest: isString(digest) ? digest : '' } });
  }
  for (const row of ledger.filter((each) => each.decision === 'documents_adopted' && each.run_id === runId)) {
    for (const [path, digest] of Object.entries(asRecord(row.documents)))
      dated.push({
        at: String(row.created_at),
        path,
        writer: { who: String(row.by ?? 'a person'), digest: String(digest) },
      });
  }
  const ordered = dated.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return new Map(ordered.map(({ path, writer }) => [path, writer]));
}
