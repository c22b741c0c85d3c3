import { formatMillis, parseInstant } from '../../../../kernel/instant.ts';
import type { CompiledPolicy } from '../../policies/rules/compile.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';
import { inWindow } from '../../policies/rules/time-window.ts';
import { RISK_TIERS } from '../../schema.ts';
import { decidingInput, inputInWords } from './deciding-input.ts';
import { serverAxes } from './server-axes.ts';
import { parameterWitnesses, withParameter, witnessesOf } from './witnesses.ts';

export interface InputSpace {
  readonly inputs: readonly DecisionInput[];
  /** Every case that these policies can tell apart is among the inputs. */
  readonly complete: boolean;
}

const LARGEST_SPACE = 4_096;
const HOUR = 3_600_000_000;
/** A week without and a week with daylight saving time in the northern hemisphere. */
const WEEKS = ['2026-01-05T00:00:00Z', '2026-07-06T00:00:00Z'].map((text) => parseInstant(text)?.micros ?? 0);

/** One input for each case that the conditions of these policies can tell apart. */
export function inputSpace(policies: readonly CompiledPolicy[], actionTier: number): InputSpace {
  const conditioned = policies.filter((policy) => !policy.unconditional);
  const agents = witnessesOf(conditioned.flatMap(({ policy }) => policy.conditions?.agents ?? []));
  const parameters = parameterWitnesses(conditioned.flatMap(({ rule }) => (rule.when ? [rule.when] : [])));
  const tiers = conditioned.some(({ tiers: mask }) => mask !== undefined)
    ? RISK_TIERS.slice(actionTier)
    : [RISK_TIERS[actionTier] ?? 'low'];
  const axes: readonly (readonly ((input: DecisionInput) => DecisionInput)[])[] = [
    agents.texts.map((agentId) => (input) => ({ ...input, agentId })),
    tiers.map((riskTier) => (input) => ({ ...input, riskTier })),
    ...contextAxes(conditioned),
    instants(conditioned).map((now) => (input) => ({ ...input, now })),
    scopeSets(conditioned).map((scopes) => (input) => ({ ...input, scopes })),
    ...serverAxes(conditioned),
    ...parameterAxes(parameters.values),
  ];
  const size = axes.reduce((product, axis) => product * axis.length, 1);
  const start: DecisionInput = {
    agentId: 'agent',
    riskTier: 'low',
    context: {},
    scopes: new Set(),
    now: WEEKS[0] ?? 0,
  };
  const take = Math.min(size, LARGEST_SPACE);
  // A stride coprime to the size spreads a sample over all axes.
  const stride = size <= LARGEST_SPACE ? 1 : coprimeTo(size, Math.floor(size / LARGEST_SPACE));
  const inputs = Array.from({ length: take }, (_, at) => pick(axes, (at * stride) % size, start));
  const readable = conditioned.every(({ rule }) => rule.cedar === undefined);
  return { inputs, complete: agents.complete && parameters.complete && readable && size <= LARGEST_SPACE };
}

function pick(
  axes: readonly (readonly ((input: DecisionInput) => DecisionInput)[])[],
  index: number,
  start: DecisionInput,
): DecisionInput {
  let rest = index;
  let input = start;
  for (const axis of axes) {
    const change = axis[rest % axis.length];
    rest = Math.floor(rest / axis.length);
    if (change) input = change(input);
  }
  return input;
}

function contextAxes(policies: readonly CompiledPolicy[]) {
  const values = new Map<string, Set<string>>();
  for (const [key, value] of policies.flatMap(({ context }) => context ?? [])) {
    values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return [...values].map(([key, known]) => [
    (input: DecisionInput) => input,
    ...[...known].map((value) => (input: DecisionInput) => ({
      ...input,
      context: { ...input.context, [key]: value },
    })),
  ]);
}

/** One instant of a winter and a summer week for every combination of windows that are open together. */
function instants(policies: readonly CompiledPolicy[]): number[] {
  const windows = policies.flatMap(({ window }) => (window ? [window] : []));
  if (windows.length === 0) return [WEEKS[0] ?? 0];
  const edges = new Set([0, ...windows.flatMap(({ start, end }) => [start % 3600, end % 3600])]);
  const found = new Map<string, number>();
  for (const week of WEEKS) {
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      for (const edge of edges) {
        const now = week + hour * HOUR + edge * 1_000_000;
        const vector = windows.map((window) => (inWindow(window, now) ? '1' : '0')).join('');
        if (!found.has(vector)) found.set(vector, now);
      }
    }
  }
  return [...found.values()];
}

function scopeSets(policies: readonly CompiledPolicy[]): ReadonlySet<string>[] {
  const names = [...new Set(policies.flatMap(({ rule }) => rule.scopes))];
  if (names.length > 6)
    return [new Set(), new Set(names), ...names.map((name) => new Set(names.filter((n) => n !== name)))];
  return Array.from(
    { length: 2 ** names.length },
    (_, mask) => new Set(names.filter((__, at) => mask & (1 << at))),
  );
}

function parameterAxes(values: ReadonlyMap<string, readonly unknown[]>) {
  const given = (input: DecisionInput) => (input.parameters ?? {}) as Record<string, unknown>;
  return [...values].map(([path, known]) =>
    known.map((value) => (input: DecisionInput) => ({
      ...input,
      parameters: withParameter(given(input), path, value),
    })),
  );
}

function coprimeTo(size: number, from: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let stride = from;
  while (divisor(size, stride) !== 1) stride += 1;
  return stride;
}

/** A request that demonstrates a finding. */
export interface Counterexample {
  readonly action_id: string;
  /** What of it decides, for people: `when amount is 101`. */
  readonly words: string;
  readonly agent_id: string;
  readonly risk_tier: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly scopes: readonly string[];
  readonly now: string;
  readonly parameters?: unknown;
  /** Where rules look at them. */
  readonly asker?: DecisionInput['asker'];
  readonly facts?: readonly {
    readonly subject: string;
    readonly predicate: string;
    readonly value: string;
  }[];
}

/** `holds`: whether a request still shows the same; whatever does not matter for that is left out of it. */
export function counterexample(
  actionId: string,
  found: DecisionInput,
  holds: (input: DecisionInput) => boolean,
): Counterexample {
  const input = decidingInput(found, holds);
  const timed = [0, 7, 13, 19].some((hours) => !holds({ ...input, now: input.now + hours * HOUR }));
  return {
    action_id: actionId,
    words: inputInWords(input, timed),
    agent_id: input.agentId,
    risk_tier: input.riskTier ?? 'low',
    context: input.context,
    scopes: [...input.scopes],
    now: formatMillis(input.now),
    ...(input.parameters !== undefined && { parameters: input.parameters }),
    ...(input.asker && { asker: input.asker }),
    ...(input.facts && {
      facts: input.facts.map(({ subject, predicate, value }) => ({ subject, predicate, value })),
    }),
  };
}
