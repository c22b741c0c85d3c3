import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { HistoryRow, RunEvent } from '../records.ts';

/** What the server keeps of the events of a run, and whether the files still say the same. */

export function byTurn(rows: readonly HistoryRow[]): ReadonlyMap<string, HistoryRow> {
  return new Map(rows.map((row) => [row.turn_id, row]));
}

/** The accepted turn that an event is about, if it is about one. */
export function acceptedBy(
  event: RunEvent,
  history: ReadonlyMap<string, HistoryRow>,
): HistoryRow | undefined {
  return event.event_type === 'turn_accepted' ? history.get(event.turn?.turn_id ?? '') : undefined;
}

/** Covers the turn with the event that accepted it: what it did, decided and proved cannot change alone. */
export function recordedDigest(event: RunEvent, accepted: HistoryRow | undefined, hasher: Hasher): string {
  const said = fromPlain({ event, accepted: accepted ?? null });
  return formatDigest(digestOf(hasher, 'jcs', said));
}

/** Where the files and the record differ; nothing where they agree. */
export function differencesFromRecord(
  recorded: ReadonlyMap<string, string | null>,
  events: readonly RunEvent[],
  rows: readonly HistoryRow[],
  hasher: Hasher,
): readonly string[] {
  const history = byTurn(rows);
  const faults: string[] = [];
  const missing = new Set(recorded.keys());
  const seen = new Set<string>();
  for (const event of events) {
    const { event_id: id } = event;
    const what = `${id} (${event.event_type}${event.turn ? ` of ${event.turn.turn_id}` : ''})`;
    missing.delete(id);
    if (seen.has(id)) faults.push(`Event ${what} stands twice in the event log.`);
    seen.add(id);
    const digest = recorded.get(id);
    if (digest === undefined) faults.push(`Event ${what} was never recorded.`);
    else if (digest !== null && digest !== recordedDigest(event, acceptedBy(event, history), hasher))
      faults.push(`Event ${what} or the turn that it accepted is not as it was recorded.`);
  }
  for (const id of missing) faults.push(`Event ${id} was recorded and is not in the event log.`);
  return faults;
}
