import { counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { spreadsOf, spreadWords } from './amounts.ts';
import type { Chosen } from './selection.ts';

interface BulkBarProps {
  readonly chosen: Chosen;
  readonly onDecide: (decision: 'approve' | 'reject') => void;
  readonly onDefer: () => void;
  readonly onClear: () => void;
}

/** What is selected stays in sight, with what it adds up to. */
export function BulkBar({ chosen, onDecide, onDefer, onClear }: BulkBarProps) {
  const items = [...chosen.values()];
  const sums = spreadsOf(items).map(spreadWords);
  return (
    <section
      aria-label="Selected items"
      className="sticky bottom-3 z-20 mx-3 my-3 flex flex-col gap-2.5 rounded-card border border-line bg-raised p-3 shadow-float"
    >
      <p className="flex items-baseline justify-between gap-x-3">
        <span aria-live="polite" className="min-w-0">
          <strong className="font-semibold">{counted(items.length, 'item')} selected</strong>
          {sums.length > 0 && <span className="text-soft">, {sums.join('; ')}</span>}
        </span>
        <button type="button" onClick={onClear} className="shrink-0 text-small text-soft hover:text-ink">
          Clear <kbd className="ml-1 rounded border border-line px-1 font-mono text-tiny">Esc</kbd>
        </button>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="good" icon="check" shortcut="A" onClick={() => onDecide('approve')}>
          Approve {items.length}
        </Button>
        <Button icon="cross" shortcut="R" onClick={() => onDecide('reject')}>
          Reject {items.length}
        </Button>
        <Button icon="clock" shortcut="D" onClick={onDefer}>
          Defer
        </Button>
      </div>
      <p className="text-faint text-small">One proof of presence, a digest for each.</p>
    </section>
  );
}
