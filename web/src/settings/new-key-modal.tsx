import type { Arguments, Operations } from '@baton-ledger/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

type NewKey = Arguments<Operations['keys.create']>;

const actorTypes = [
  ['agent', 'Agent: does work, never decides'],
  ['script', 'Script: runs without a person'],
  ['human', 'Person: works and decides'],
] as const;

export function NewKeyModal({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: (fields: NewKey) => client.call('keys.create', fields),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const label = String(fields.get('label') ?? '').trim();
    making.mutate({
      actor_id: String(fields.get('actor_id') ?? '').trim(),
      actor_type: String(fields.get('actor_type')) as NewKey['actor_type'],
      ...(label && { label }),
    });
  }

  const token = making.data?.token;
  if (token !== undefined) {
    return (
      <Modal
        open
        onClose={onClose}
        title="Copy the key now"
        description="It is shown once and not stored; Baton keeps only its hash."
      >
        <div className="flex items-start gap-1 rounded-control bg-sunken p-3">
          <code className="min-w-0 flex-1 break-all font-mono text-small">{token}</code>
          <CopyButton text={token} label="Copy the key" />
        </div>
        <p className="text-small text-soft">
          The agent sends it as <code className="font-mono">Authorization: Bearer …</code>, or finds it in{' '}
          <code className="font-mono">BATON_TOKEN</code>.
        </p>
        <Button tone="primary" onClick={onClose}>
          I have copied it
        </Button>
      </Modal>
    );
  }
  return (
    <Modal
      open
      onClose={onClose}
      title="New key"
      description="Who works with it, and what kind of actor that is."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label="Name"
          name="actor_id"
          required
          maxLength={255}
          placeholder="my-agent"
          spellCheck={false}
        />
        <SelectField label="Kind" name="actor_type" options={actorTypes} />
        <TextField label="What it is for (optional)" name="label" maxLength={200} />
        {making.error && <ErrorNote error={making.error} />}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={making.isPending}>
            Create the key
          </Button>
        </div>
      </form>
    </Modal>
  );
}
