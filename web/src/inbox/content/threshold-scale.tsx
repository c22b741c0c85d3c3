import { count } from '../../numbers.ts';

export interface Threshold {
  /** From where on somebody is asked. */
  readonly limit: number;
  /** `above` also asks at the limit itself where the rule says so; the words tell. */
  readonly words: string;
}

/** Where an amount lies beside the limit from which a person is asked. */
export function ThresholdScale({ value, threshold }: { value: number; threshold: Threshold }) {
  const most = Math.max(value, threshold.limit) * 1.12;
  const share = (n: number) => `${Math.min(100, Math.max(0, (n / most) * 100))}%`;
  if (!(most > 0) || value < 0) return null;
  return (
    <span role="img" aria-label={`${count(value)}; ${threshold.words}`} className="mt-2 block max-w-md pb-5">
      <span className="relative block h-1.5 rounded-full bg-sunken">
        <span
          className="absolute inset-y-0 left-0 rounded-l-full bg-mark-allow"
          style={{ width: share(Math.min(value, threshold.limit)) }}
        />
        {value > threshold.limit && (
          <span
            className="absolute inset-y-0 bg-mark-ask"
            style={{ left: share(threshold.limit), right: `calc(100% - ${share(value)})` }}
          />
        )}
        <span
          className="absolute -top-1.5 -bottom-1.5 w-0.5 bg-ink"
          style={{ left: share(threshold.limit) }}
        />
        <span
          className="absolute top-1/2 size-3.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-[3px] border-mark-ask bg-surface"
          style={{ left: share(value) }}
        />
        <span
          className="absolute top-3 whitespace-nowrap text-faint text-tiny"
          style={{ left: `min(${share(threshold.limit)}, calc(100% - 8rem))` }}
        >
          {threshold.words}
        </span>
      </span>
    </span>
  );
}

/** The limits that a rule puts on one parameter, as far as they are single numbers: `{"amount": {"gt": 100}}`. */
export function thresholdOf(when: unknown, path: string): Threshold | undefined {
  const groups = (Array.isArray(when) ? when : [when]) as readonly unknown[];
  for (const group of groups) {
    if (typeof group !== 'object' || group === null) continue;
    const test = (group as Record<string, unknown>)[path];
    if (typeof test !== 'object' || test === null) continue;
    const { gt, gte } = test as Record<string, unknown>;
    if (typeof gt === 'number') return { limit: gt, words: `alone up to ${count(gt)}` };
    if (typeof gte === 'number') return { limit: gte, words: `alone below ${count(gte)}` };
  }
  return undefined;
}
