/** What contenders got right, question by question, and what is reported of it. */
import type { Fact } from '../harness.ts';
import { crossValidated, interval, type Outcome, outcomeOf } from './statistics.ts';

export const OURS = 'Baton';

/** As it is kept between the parts of a run. */
export interface ScoresData {
  readonly groups: readonly string[];
  readonly types: readonly string[];
  readonly outcomes: Readonly<Record<string, readonly Outcome[]>>;
}

export class Scores {
  readonly groups: string[] = [];
  readonly types: string[] = [];
  readonly outcomes = new Map<string, Outcome[]>();

  /** The parts of one run as if it had been done at once. */
  static of(parts: readonly ScoresData[]): Scores {
    const all = new Scores();
    for (const { groups, types, outcomes } of parts) {
      all.groups.push(...groups);
      all.types.push(...types);
      for (const [name, list] of Object.entries(outcomes)) all.#listOf(name).push(...list);
    }
    return all;
  }

  question(group: string, type: string): void {
    this.groups.push(group);
    this.types.push(type);
  }

  add(contender: string, ranked: readonly string[], gold: ReadonlySet<string>): void {
    this.#listOf(contender).push(outcomeOf(ranked, gold));
  }

  get data(): ScoresData {
    return { groups: this.groups, types: this.types, outcomes: Object.fromEntries(this.outcomes) };
  }

  #listOf(contender: string): Outcome[] {
    const list = this.outcomes.get(contender) ?? [];
    this.outcomes.set(contender, list);
    return list;
  }
}

const MEASURES = ['any5', 'all5', 'any10'] as const;
type Measure = (typeof MEASURES)[number];
export type Goals = Partial<Record<Measure, number>>;

/** Ours as a whole and by type; then, if there are others, the choice among the `variants` cross-validated, and each. */
export function factsOf(
  set: string,
  scores: Scores,
  goals: Goals,
  variants: ReadonlySet<string> = new Set(),
): Fact[] {
  const ours = scores.outcomes.get(OURS) ?? [];
  const types = [...new Set(scores.types)];
  const lines: (readonly [name: string, outcomes: readonly Outcome[], goals: Goals])[] = [
    [OURS, ours, goals],
  ];
  if (variants.size > 0) {
    const chosenFrom = new Map([...scores.outcomes].filter(([name]) => variants.has(name)));
    const worth = (outcomes: readonly Outcome[]) => share(outcomes, 'any5') + share(outcomes, 'all5');
    const validated = crossValidated(chosenFrom, scores.groups, worth);
    lines.push([`cross-validated (${[...new Set(validated.chosen)].join(', ')})`, validated.outcomes, {}]);
  }
  if (types.length > 1) {
    for (const type of types) lines.push([type, ours.filter((_, at) => scores.types[at] === type), {}]);
  }
  for (const [name, outcomes] of scores.outcomes) if (name !== OURS) lines.push([name, outcomes, {}]);
  return lines.flatMap(([name, outcomes, wanted]) =>
    MEASURES.map((measure) => factOf(`${set}, ${name}`, outcomes, measure, wanted[measure])),
  );
}

function factOf(name: string, outcomes: readonly Outcome[], measure: Measure, goal?: number): Fact {
  const hits = outcomes.filter((outcome) => outcome[measure]).length;
  const [low, high] = interval(hits, outcomes.length);
  const value = rounded((100 * hits) / outcomes.length);
  const fact = {
    name: `${name} (${outcomes.length}): ${measure.replace(/(\d+)$/, '@$1')} [${rounded(low)}, ${rounded(high)}]`,
    value,
    unit: '%',
  };
  return goal === undefined ? fact : { ...fact, goal: { text: `at least ${goal}`, met: value >= goal } };
}

function share(outcomes: readonly Outcome[], measure: Measure): number {
  return outcomes.filter((outcome) => outcome[measure]).length / Math.max(1, outcomes.length);
}

const rounded = (value: number) => Math.round(10 * value) / 10;
