import { BatonError } from '../../../kernel/error.ts';
import { isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { validateConfig } from '../config/rules/validate.ts';
import { readRows } from '../repository/files.ts';
import { FILES, within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { readEvents, type Snapshot } from '../repository/snapshot.ts';
import { requireSealed } from '../turns/bundle.ts';
import { eventFaults, orderingFaults } from './rules/events.ts';

export interface VerifyReport {
  readonly ok: boolean;
  readonly checks: readonly { readonly check: string; readonly faults: readonly string[] }[];
}

/** Checks that the governed files agree with each other and with the rules. */
export async function verifyRun(repository: RunRepository): Promise<VerifyReport> {
  const snapshot = await repository.snapshot();
  const history = await readRows(within(repository.root, FILES.history));
  const events = await readEvents(repository.root);
  const checks = [
    {
      check: 'config',
      faults: validateConfig(snapshot.rawConfig).map((fault) => `${fault.field}: ${fault.message}`),
    },
    { check: 'history', faults: historyFaults(history, snapshot) },
    { check: 'ledger', faults: ledgerFaults(snapshot.ledger) },
    { check: 'events', faults: events.flatMap((event) => eventFaults(event)) },
    { check: 'event order', faults: events.length === 0 ? [] : orderingFaults(events) },
    { check: 'bundles', faults: await bundleFaults(repository, snapshot) },
  ];
  return { ok: checks.every((check) => check.faults.length === 0), checks };
}

function historyFaults(history: readonly LooseRecord[], { state }: Snapshot): string[] {
  const faults: string[] = [];
  const seen = new Set<unknown>();
  for (const row of history) {
    if (seen.has(row.turn_id)) faults.push(`Turn ${String(row.turn_id)} is accepted twice.`);
    seen.add(row.turn_id);
  }
  const own = history.filter((row) => row.run_id === state.run_id);
  own.forEach((row, index) => {
    if (row.accepted_sequence !== index + 1)
      faults.push(
        `Turn ${String(row.turn_id)} has sequence ${String(row.accepted_sequence)}, expected ${index + 1}.`,
      );
  });
  if (state.run_id !== null && state.accepted_sequence !== own.length) {
    faults.push(`The state counts ${state.accepted_sequence} accepted turns, history has ${own.length}.`);
  }
  for (const id of Object.keys(state.active_turns)) {
    if (seen.has(id)) faults.push(`Turn ${id} is accepted and yet active.`);
  }
  return faults;
}

function ledgerFaults(ledger: readonly LooseRecord[]): string[] {
  const seen = new Set<string>();
  return ledger.flatMap((row) => {
    if (!isString(row.id)) return [];
    const key = `${String(row.run_id)}/${row.id}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [`${row.id} is decided twice in run ${String(row.run_id)}.`];
  });
}

async function bundleFaults(repository: RunRepository, { state }: Snapshot): Promise<string[]> {
  const faults: string[] = [];
  for (const turn of Object.values(state.active_turns)) {
    if (turn.status !== 'dispatched' && turn.status !== 'running') continue;
    await requireSealed(repository, turn.turn_id).catch((error: unknown) => {
      if (!(error instanceof BatonError)) throw error;
      faults.push(`${turn.turn_id}: ${error.message}`);
    });
  }
  return faults;
}
