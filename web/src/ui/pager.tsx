import { count, type Total, totalWords } from '../numbers.ts';
import { Button } from './button.tsx';

interface PagerProps {
  /** How many come before this page. */
  readonly at: number;
  readonly shown: number;
  /** What the server counts on all pages together; left out while it is not known. */
  readonly total: Total | number | undefined;
  readonly label: string;
  readonly first?: string;
  readonly next?: string;
  readonly busy?: boolean;
  readonly onFirst: () => void;
  /** Left out on the last page. */
  readonly onNext: (() => void) | undefined;
}

/** Which part of a list is shown and how much there is. Not there while everything is on one page. */
export function Pager({
  at,
  shown,
  total,
  label,
  first = 'First',
  next = 'Next',
  busy,
  onFirst,
  onNext,
}: PagerProps) {
  if (at === 0 && onNext === undefined) return null;
  const until = at + shown;
  return (
    <nav
      aria-label={`Pages of ${label}`}
      className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-4 py-2.5"
    >
      <span className="tabular text-small text-soft">
        {shown === 0 ? 'Nothing more' : `${count(at + 1)}–${count(until)}`}
        {total !== undefined && ` of ${totalWords(total)}`}
      </span>
      <span className="flex gap-2">
        <Button disabled={at === 0} onClick={onFirst}>
          {first}
        </Button>
        <Button busy={busy ?? false} disabled={onNext === undefined} onClick={() => onNext?.()}>
          {next}
        </Button>
      </span>
    </nav>
  );
}
