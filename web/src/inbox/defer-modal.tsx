import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import { absoluteTime } from '../ui/time-words.ts';
import type { InboxItem } from './queries.ts';

const MINUTE = 60_000;

/** Times that a person thinks in; only those before the first of the items expires. */
function timesFrom(now: number, items: readonly InboxItem[]): (readonly [words: string, at: number])[] {
  const at = (days: number, hour: number) => {
    const date = new Date(now);
    date.setDate(date.getDate() + days);
    date.setHours(hour, 0, 0, 0);
    return date.getTime();
  };
  const ends = items.flatMap(({ expires_at }) => (expires_at === null ? [] : [Date.parse(expires_at)]));
  const last = Math.min(...ends, Number.POSITIVE_INFINITY);
  const times = [
    ['In 15 minutes', now + 15 * MINUTE],
    ['In an hour', now + 60 * MINUTE],
    ['This evening, 18:00', at(0, 18)],
    ['Tomorrow, 9:00', at(1, 9)],
    ['In a week', at(7, 9)],
  ] as const;
  return times.filter(([, time]) => time > now && time < last);
}

export function DeferModal({
  items,
  onDone,
  onClose,
}: {
  items: readonly InboxItem[];
  onDone: (ids: readonly string[]) => void;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: async (at: number) => {
      const until = new Date(at).toISOString();
      for (const { id } of items) await client.call('inbox.defer', { id, until });
    },
    onSuccess: () => {
      onDone(items.map(({ id }) => id));
      onClose();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  const times = timesFrom(Date.now(), items);
  return (
    <Modal
      open
      onClose={onClose}
      title={items.length === 1 ? 'Put this aside until…' : `Put ${items.length} items aside until…`}
      description="They leave your list and nobody else’s. What expires still expires when it says."
    >
      <div className="flex flex-col gap-2">
        {times.length === 0 && (
          <p className="text-soft">
            What you chose expires too soon to be put aside. Decide it, or let it expire.
          </p>
        )}
        {times.map(([words, at], position) => (
          <Button
            key={words}
            autoFocus={position === 0}
            busy={sending.isPending && sending.variables === at}
            disabled={sending.isPending}
            title={absoluteTime(new Date(at).toISOString())}
            onClick={() => sending.mutate(at)}
            className="justify-start"
          >
            {words}
          </Button>
        ))}
        {sending.error && <ErrorNote error={sending.error} />}
      </div>
    </Modal>
  );
}
