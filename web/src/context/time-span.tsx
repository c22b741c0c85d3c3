import { absoluteTime, clockTime } from '../ui/time-words.ts';

/** Since when, and until when where it has ended. */
export function TimeSpan({ from, to }: { from: string; to: string | undefined }) {
  const now = Date.now();
  return (
    <span className="tabular whitespace-nowrap text-small text-soft">
      <time dateTime={from} title={absoluteTime(from)}>
        {clockTime(from, now)}
      </time>
      {' – '}
      {to === undefined ? (
        'now'
      ) : (
        <time dateTime={to} title={absoluteTime(to)}>
          {clockTime(to, now)}
        </time>
      )}
    </span>
  );
}
