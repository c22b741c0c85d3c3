import type { HistoryRow } from '../records.ts';
import { regularFile } from '../repository/keep.ts';
import { within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { type Changes, changesOf, type Since } from './changes.ts';
import { type GateReport, showGate } from './current-gate.ts';

/** What a person looks at before a gate opens. */
export interface GateView extends GateReport {
  readonly documents: readonly GateDocument[];
  readonly changes: Changes;
}

export interface GateDocument {
  readonly path: string;
  /** Null where there is none. */
  readonly text: string | null;
  readonly truncated: boolean;
  /** The turn of this run that left it as gates know it. */
  readonly turnId: string | null;
}

/** Characters of one document. */
const MOST = 100_000;

/** A gate with its documents, and with what the turns changed that it approves. Null where the phase has no gate. */
export async function viewGate(
  repository: RunRepository,
  name?: string,
  since: Since = 'phase',
): Promise<GateView | null> {
  const report = await showGate(repository, name);
  if (report === null) return null;
  const { history } = await repository.snapshot();
  const rows = since === 'run' ? history : history.filter(({ phase }) => phase === report.phase);
  const [documents, changes] = await Promise.all([
    Promise.all(report.gate.files.map((path) => document(repository.root, path, history))),
    changesOf(repository, rows),
  ]);
  return { ...report, documents, changes };
}

async function document(root: string, path: string, history: readonly HistoryRow[]): Promise<GateDocument> {
  const bytes = await regularFile(within(root, path));
  const text = typeof bytes === 'string' ? null : bytes.toString('utf8');
  const wrote = history.findLast((row) => Object.hasOwn(row.gate_documents ?? {}, path));
  return {
    path,
    text: text === null ? null : text.slice(0, MOST),
    truncated: text !== null && text.length > MOST,
    turnId: wrote?.turn_id ?? null,
  };
}
