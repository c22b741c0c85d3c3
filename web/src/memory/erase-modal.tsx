import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { QuotedText } from '../inbox/content/content-section.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import type { KnownMemory } from './queries.ts';

interface EraseModalProps {
  readonly profile: string;
  readonly known: KnownMemory;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

const WORD = 'erase';

/** Cannot be undone, so the word is typed and not only a button pressed. */
export function EraseModal({ profile, known, onClose, onErased }: EraseModalProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erasing = useMutation({
    mutationFn: () => client.call('memory.erase', { profile, memory: known.memory.id }),
    onSuccess: () => {
      onErased();
      void queries.invalidateQueries({ queryKey: ['memory'] });
    },
  });
  return (
    <Modal
      open
      onClose={onClose}
      title="Erase this memory for good?"
      description="This cannot be undone. Earlier backups are yours to delete."
    >
      <QuotedText text={known.memory.content} />
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim().toLowerCase() === WORD) erasing.mutate();
        }}
      >
        <TextField
          label={`Type “${WORD}” to continue`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {erasing.error && <ErrorNote error={erasing.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep it</Button>
          <Button
            type="submit"
            tone="bad"
            busy={erasing.isPending}
            disabled={typed.trim().toLowerCase() !== WORD}
          >
            Erase for good
          </Button>
        </div>
      </form>
    </Modal>
  );
}
