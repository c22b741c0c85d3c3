import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { MemoryModal } from './memory-modal.tsx';
import type { KnownMemory } from './queries.ts';

interface MemoryActionsProps {
  readonly profile: string;
  readonly known: KnownMemory;
  /** A correction may be kept under another id. */
  readonly onMoved: (id: string) => void;
}

type Change = 'memory.pin' | 'memory.unpin' | 'memory.archive' | 'memory.restore' | 'memory.confirm';

/** What a person does with a memory short of erasing it. */
export function MemoryActions({ profile, known, onMoved }: MemoryActionsProps) {
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const changing = useMutation({
    mutationFn: (change: Change) => client.call(change, { profile, id: known.memory.id }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['memory'] }),
  });
  const archived = known.memory.status === 'archived';
  const button = (change: Change, words: string) => (
    <Button
      busy={changing.isPending && changing.variables === change}
      onClick={() => changing.mutate(change)}
    >
      {words}
    </Button>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button icon="edit" onClick={() => setEditing(true)}>
          Correct…
        </Button>
        {known.suggests && button('memory.confirm', 'Still true')}
        {known.pinned ? button('memory.unpin', 'Unpin') : button('memory.pin', 'Pin')}
        {archived ? button('memory.restore', 'Use again') : button('memory.archive', 'Put away')}
      </div>
      {changing.error && <ErrorNote error={changing.error} />}
      {editing && (
        <MemoryModal
          profile={profile}
          known={known}
          onClose={() => setEditing(false)}
          onKept={(id) => {
            setEditing(false);
            onMoved(id);
          }}
        />
      )}
    </>
  );
}
