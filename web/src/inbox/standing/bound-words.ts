import { maybeText, record, texts } from '../../api/shape.ts';
import type { StandingAnswer } from './queries.ts';

type Bound = StandingAnswer['within'][number];

/** What a parameter must be, as one says it: `amount 104 to 148`, `reason parcel_lost`, `no note`. */
export function boundWords({ path, test }: Bound): string {
  const name = path.replace(/^\//, '').replaceAll('/', '.');
  const { eq, gte, lte, exists } = record(test);
  const some = texts(record(test).in);
  if (exists === false) return `no ${name}`;
  if (some.length > 0) return `${name} ${some.slice(0, -1).join(', ')} or ${some.at(-1)}`;
  if (gte !== undefined && lte !== undefined) return `${name} ${String(gte)} to ${String(lte)}`;
  return `${name} ${maybeText(eq) ?? String(eq)}`;
}

/** Everything that the rule would and would not look at, the parts that narrow it first. */
export function withinWords({ within, free }: Pick<StandingAnswer, 'within' | 'free'>): string {
  return [...within.map(boundWords), ...free.map((name) => `any ${name}`)].join(', ');
}
