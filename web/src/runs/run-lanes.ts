import type { Turn } from './queries.ts';

export interface TurnBar {
  readonly turn: Turn;
  /** The number of the turn within the run, from 1. */
  readonly number: number;
  /** Shares of the whole time that is shown. */
  readonly from: number;
  readonly to: number;
}

export interface RunLanes {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly roles: readonly { readonly role: string; readonly bars: readonly TurnBar[] }[];
  readonly phases: readonly { readonly phase: string; readonly from: number; readonly to: number }[];
}

const SHORTEST_MS = 1_000;

/** Turns by role over time, and the phases that they belong to. `skipped` of them came before. */
export function runLanes(turns: readonly Turn[], skipped: number): RunLanes | undefined {
  const timed = turns
    .flatMap((turn) => {
      const end = Date.parse(turn.accepted_at);
      return Number.isNaN(end)
        ? []
        : [{ turn, begin: end - Math.max(SHORTEST_MS, turn.duration_ms ?? 0), end }];
    })
    .toSorted((a, b) => a.end - b.end);
  const [first] = timed;
  if (!first) return undefined;
  const start = Math.min(...timed.map(({ begin }) => begin));
  const end = Math.max(...timed.map((each) => each.end));
  const share = (at: number) => (at - start) / (end - start);
  const roles = new Map<string, TurnBar[]>();
  const phases: { phase: string; from: number; to: number }[] = [];
  for (const [at, { turn, begin, end: until }] of timed.entries()) {
    const bars = roles.get(turn.role) ?? [];
    roles.set(turn.role, bars);
    bars.push({ turn, number: skipped + at + 1, from: share(begin), to: share(until) });
    const last = phases.at(-1);
    if (last?.phase === turn.phase) last.to = share(until);
    else phases.push({ phase: turn.phase, from: last?.to ?? 0, to: share(until) });
  }
  return { start, end, roles: [...roles].map(([role, bars]) => ({ role, bars })), phases };
}
