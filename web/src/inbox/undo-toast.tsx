import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/time-ago.tsx';

/** Decisions that were just made and have no effect yet. */
export interface Undoable {
  readonly ids: readonly string[];
  readonly words: string;
  /** When their effect begins. */
  readonly until: number;
}

export function useUndo(onDone: (ids: readonly string[]) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids }: Undoable) => {
      const late: string[] = [];
      for (const id of ids) await client.call('inbox.undo', { id }).catch(() => late.push(id));
      return late;
    },
    onSuccess: (late, { ids }) => onDone(ids.filter((id) => !late.includes(id))),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
}

interface UndoToastProps {
  readonly undoable: Undoable;
  readonly busy: boolean;
  /** How many could not be taken back any more; undefined while nobody has tried. */
  readonly late: number | undefined;
  readonly onUndo: () => void;
  readonly onGone: () => void;
}

/** Counts down to the effect; what it offers is true until then. */
export function UndoToast({ undoable, busy, late, onUndo, onGone }: UndoToastProps) {
  const left = Math.ceil((undoable.until - useNow()) / 1000);
  const over = left <= 0 && !busy && late === undefined;
  useEffect(() => {
    if (over) onGone();
  }, [over, onGone]);
  return (
    <div
      role="status"
      className="fade-in fixed bottom-4 left-1/2 z-30 flex w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 items-center gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-float"
    >
      <span className="min-w-0">
        {late === undefined ? (
          <>
            {undoable.words} <span className="tabular text-soft">Takes effect in {Math.max(left, 0)} s.</span>
          </>
        ) : (
          `${counted(late, 'decision')} had taken effect already.`
        )}
      </span>
      {late === undefined ? (
        <Button shortcut="u" busy={busy} onClick={onUndo}>
          Undo
        </Button>
      ) : (
        <Button onClick={onGone}>Close</Button>
      )}
    </div>
  );
}
