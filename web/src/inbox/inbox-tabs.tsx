import { useWaitingCount } from './use-waiting-count.ts';

/** Two views of one list; buttons that say which one is pressed. */
export function InboxTabs({ closed, onChange }: { closed: boolean; onChange: (closed: boolean) => void }) {
  const waiting = useWaitingCount();
  const look =
    'h-9 rounded-control px-3 font-medium text-soft transition-colors hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent';
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Which items</legend>
      <button type="button" aria-pressed={!closed} onClick={() => onChange(false)} className={look}>
        Waiting{waiting && waiting.count > 0 ? ` (${waiting.words})` : ''}
      </button>
      <button type="button" aria-pressed={closed} onClick={() => onChange(true)} className={look}>
        Decided
      </button>
    </fieldset>
  );
}
