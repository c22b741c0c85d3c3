import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { titleWords } from '../ui/id-words.ts';
import { Modal } from '../ui/modal.tsx';
import type { InboxItem } from './queries.ts';

/** Into the hands of another person, who may decide no more than before. */
export function DelegateModal({
  item,
  onDone,
  onClose,
}: {
  item: InboxItem;
  onDone: () => void;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: (to: string) => client.call('inbox.delegate', { id: item.id, to }),
    onSuccess: () => {
      onDone();
      onClose();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    sending.mutate(String(new FormData(event.currentTarget).get('to') ?? '').trim());
  }
  return (
    <Modal open onClose={onClose} title="Hand this to…" description={titleWords(item.title)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Person"
          name="to"
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          hint="Their id. They must be able to decide it themselves: handing over gives no rights."
        />
        {sending.error && <ErrorNote error={sending.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={sending.isPending}>
            Hand over
          </Button>
        </div>
      </form>
    </Modal>
  );
}
