import pc from 'picocolors';
import { inline } from '../../kernel/quoted.ts';

interface Fault {
  readonly kind: string;
  readonly message: string;
  readonly event_id?: string;
  readonly leaf?: number;
  readonly chain?: string;
  readonly sequence?: number;
  readonly table?: string;
  readonly key?: string;
}

export interface Verification {
  readonly valid: boolean;
  readonly events: number;
  readonly chains: number;
  readonly pruned: number;
  readonly checkpoints: number;
  readonly root: string;
  readonly kept: {
    readonly checkpoints: number;
    readonly newest: number;
    readonly witnesses: readonly { readonly name: string; readonly size: number; readonly time: number }[];
  } | null;
  readonly state: {
    readonly tables: number;
    readonly rows: number;
    readonly unattested: number;
    readonly attested_from: number | null;
  } | null;
  readonly derived: { readonly tables: number; readonly rows: number } | null;
  readonly faults: readonly Fault[];
  readonly fault_count: number;
}

/** The verdict, what was counted, and the first fault of each kind with its place. */
export function verificationText(report: Verification): string {
  const { events, chains, checkpoints, pruned, root, fault_count } = report;
  const verdict = report.valid
    ? pc.green('The journal holds.')
    : pc.red(`The journal does NOT hold: ${fault_count === 1 ? '1 fault' : `${fault_count} faults`}.`);
  return [
    verdict,
    `  ${events} events in ${chains} chains, ${checkpoints} signed checkpoints, ${pruned} pruned`,
    ...stateLines(report),
    ...keptLines(report.kept),
    `  root ${root}`,
    ...firstOfEachKind(report.faults).map(faultLine),
    ...(report.valid ? [] : [pc.dim('Keep the files as they are; --json lists every fault.')]),
  ].join('\n');
}

function stateLines({ state, derived }: Verification): string[] {
  if (state === null) return [pc.dim('  only the events were checked, not the tables that they speak of')];
  const from = state.attested_from === null ? '' : `, attested from leaf ${state.attested_from}`;
  return [
    `  ${state.rows} rows in ${state.tables} tables compared${from}`,
    ...(state.unattested === 0
      ? []
      : [
          pc.yellow(
            `  ${state.unattested} of them unattested: they are older than the records, and a running server adopts them`,
          ),
        ]),
    derived === null
      ? pc.dim('  tables that are made from others were not checked: the search index')
      : `  ${derived.rows} rows in ${derived.tables} tables made again from others and compared`,
  ];
}

function keptLines(kept: Verification['kept']): string[] {
  if (kept === null) return [];
  const lines = [`  ${kept.checkpoints} kept checkpoints compared, the newest of ${kept.newest} events`];
  for (const { name, size, time } of kept.witnesses) {
    lines.push(`  ${inline(name)} cosigned ${size} events on ${new Date(time * 1000).toISOString()}`);
  }
  return lines;
}

interface Witness {
  readonly name: string;
  readonly cosigned: number;
  readonly error: string | null;
}

export function witnessLines({ witnesses = [] }: { readonly witnesses?: readonly Witness[] }): string[] {
  return witnesses.map(({ name, cosigned, error }) => {
    const failed = error === null ? '' : `; the last request failed: ${inline(error)}`;
    return pc.dim(`${inline(name)} has cosigned up to ${cosigned} events${failed}`);
  });
}

function firstOfEachKind(faults: readonly Fault[]): { fault: Fault; alike: number }[] {
  return [...new Set(faults.map(({ kind }) => kind))].map((kind) => {
    const alike = faults.filter((fault) => fault.kind === kind);
    return { fault: alike[0] as Fault, alike: alike.length };
  });
}

/** What was changed from outside may hold anything, so no part of it reaches the terminal as it is. */
function faultLine({ fault, alike }: { fault: Fault; alike: number }): string {
  const { event_id, leaf, chain, sequence, table, key } = fault;
  const row = table === undefined || table === 'events' ? undefined : `${table} ${key ?? ''}`;
  const place = [
    event_id === undefined ? row : `event ${event_id}`,
    leaf === undefined ? undefined : `leaf ${leaf}`,
    chain === undefined ? undefined : `chain ${chain}`,
    sequence === undefined ? undefined : `sequence ${sequence}`,
  ].filter((part) => part !== undefined);
  const count = alike === 1 ? '' : ` (the first of ${alike})`;
  return `  ${pc.red(inline(fault.kind))} ${inline(fault.message)}${count}\n    ${pc.dim(inline(place.join(', ')))}`;
}
