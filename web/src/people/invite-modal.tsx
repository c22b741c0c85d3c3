import type { Arguments, Operations } from '@baton-ledger/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { projectsQuery } from '../projects/queries.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

type NewInvitation = Arguments<Operations['invitations.create']>;

const ROLES = [
  ['human', 'Works and decides'],
  ['reader', 'Only looks'],
] as const;

const HOURS = [
  ['24', 'A day'],
  ['72', 'Three days'],
  ['168', 'A week'],
] as const;

export function InviteModal({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { data: projects = [] } = useQuery(projectsQuery);
  const inviting = useMutation({
    mutationFn: (fields: NewInvitation) => client.call('invitations.create', fields),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    inviting.mutate({
      actor_id: text('actor_id'),
      ...(text('display_name') && { display_name: text('display_name') }),
      role: text('role') as (typeof ROLES)[number][0],
      projects: [text('project')],
      hours: Number(text('hours')),
    });
  }

  if (inviting.data) {
    const link = `${location.origin}${inviting.data.path}`;
    return (
      <Modal
        open
        onClose={onClose}
        title="Send this link"
        description={`Whoever opens it first joins as ${inviting.data.actor_id}. It works once and is not shown again.`}
      >
        <div className="flex items-start gap-1 rounded-control bg-sunken p-3">
          <code className="min-w-0 flex-1 break-all font-mono text-small">{link}</code>
          <CopyButton text={link} label="Copy the link" />
        </div>
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
      title="Invite a person"
      description="By a link that works once. They choose how they prove that they are there."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label="Name in the journal"
          name="actor_id"
          required
          maxLength={255}
          placeholder="maya"
          spellCheck={false}
          autoComplete="off"
        />
        <TextField
          label="How they are shown (optional)"
          name="display_name"
          maxLength={200}
          placeholder="Maya Ortiz"
        />
        <SelectField
          label="Project"
          name="project"
          options={[
            ...projects.map(({ project_id, name }) => [project_id, name] as const),
            ['*', 'All projects'],
          ]}
        />
        <SelectField label="What they may do" name="role" options={ROLES} />
        <SelectField label="The link is good for" name="hours" options={HOURS} defaultValue="72" />
        {inviting.error && <ErrorNote error={inviting.error} />}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={inviting.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Modal>
  );
}
