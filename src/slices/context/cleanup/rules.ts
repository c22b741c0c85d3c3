/** What is wrong with packages and facts that have been there for a while, and what to do about each. Pure. */
import { alikePairs } from '../../../spine/search/rules/alike.ts';
import { termOf, wordsIn } from '../../../spine/search/rules/tokenize.ts';

export interface KeptPackage {
  readonly id: string;
  readonly title: string;
  /** Everything of it that is read. */
  readonly text: string;
  readonly hasSecret: boolean;
}

export interface KeptFact {
  readonly id: string;
  readonly subject: string;
  readonly predicate: string;
  readonly value: string;
  readonly fromMicros: number;
  readonly hasSecret: boolean;
}

export type ContextRot = 'secret' | 'exact_duplicate' | 'near_duplicate' | 'contradiction' | 'oversized';

export interface RotFound {
  readonly kind: ContextRot;
  readonly of: 'package' | 'fact';
  /** What the proposal is about comes first. */
  readonly ids: readonly string[];
  readonly why: string;
  readonly proposal: { readonly operation: string; readonly input: Readonly<Record<string, unknown>> } | null;
}

/** Of a text that long, a budget of 4,000 tokens shows hardly more than the beginning. */
const LONG = 60_000;
/** Of long texts, what stands at the start tells whether they are the same. */
const COMPARED = 8_000;

/** `newestFirst`: of two that say the same, the older one stays. */
export function findPackageRot(newestFirst: readonly KeptPackage[]): RotFound[] {
  const pairs = alikePairs(newestFirst.map(({ text }) => text.slice(0, COMPARED)));
  return [
    ...newestFirst.flatMap((each) => (each.hasSecret ? [secretIn('package', each.id)] : [])),
    ...pairs.map(({ one, other, share }): RotFound => {
      const [newer, older] = [newestFirst[one] as KeptPackage, newestFirst[other] as KeptPackage];
      const exact = newer.text === older.text;
      return {
        kind: exact ? 'exact_duplicate' : 'near_duplicate',
        of: 'package',
        ids: [newer.id, older.id],
        why: exact ? 'They say the same.' : `They share ${Math.round(share * 100)} % of their words.`,
        proposal: exact ? { operation: 'packages.redact', input: { package_id: newer.id } } : null,
      };
    }),
    ...newestFirst.flatMap(({ id, text }): RotFound[] => {
      if (text.length <= LONG) return [];
      const why = `It has ${text.length} characters; deposit its result as a package that names it as its parent.`;
      return [{ kind: 'oversized', of: 'package', ids: [id], why, proposal: null }];
    }),
  ];
}

/** Facts whose keys differ only in how they are spelled: the newest holds, the others should end. */
export function findFactRot(facts: readonly KeptFact[]): RotFound[] {
  const byKey = new Map<string, KeptFact[]>();
  for (const fact of facts) {
    const key = JSON.stringify([meaningOf(fact.subject), meaningOf(fact.predicate)]);
    byKey.set(key, [...(byKey.get(key) ?? []), fact]);
  }
  const doubled = [...byKey.values()].flatMap((same) => {
    const [newest, ...older] = [...same].sort((a, b) => b.fromMicros - a.fromMicros);
    return older.map((fact): RotFound => {
      const agree = meaningOf(fact.value) === meaningOf(newest?.value ?? '');
      return {
        kind: agree ? 'exact_duplicate' : 'contradiction',
        of: 'fact',
        ids: [fact.id, newest?.id ?? ''],
        why: agree
          ? 'They say the same under keys that are spelled differently.'
          : 'They say different things under keys that are spelled differently.',
        proposal: { operation: 'facts.retract', input: { subject: fact.subject, predicate: fact.predicate } },
      };
    });
  });
  return [...facts.flatMap((each) => (each.hasSecret ? [secretIn('fact', each.id)] : [])), ...doubled];
}

function secretIn(of: 'package' | 'fact', id: string): RotFound {
  const proposal = of === 'package' ? { operation: 'packages.redact', input: { package_id: id } } : null;
  return { kind: 'secret', of, ids: [id], why: 'It holds what looks like a credential.', proposal };
}

function meaningOf(text: string): string {
  return [...new Set(wordsIn(text).map(termOf))].sort().join(' ');
}
