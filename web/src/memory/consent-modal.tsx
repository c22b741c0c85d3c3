import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import { type ConsentPolicy, categoriesQuery } from './queries.ts';

interface ConsentModalProps {
  readonly profile: string;
  /** Absent where it is a new one. */
  readonly policy?: ConsentPolicy;
  readonly onClose: () => void;
}

const READING: readonly (readonly [string, string])[] = [
  ['', 'Read nothing'],
  ['read_public', 'Read what is public'],
  ['read_scoped', 'Read what is public or standard'],
  ['read_full', 'Read everything below restricted'],
];

const lines = (text: FormDataEntryValue | null) =>
  String(text ?? '')
    .split(/[\s,]+/)
    .filter((each) => each !== '');

/** Who may read and propose what: nothing is given to an agent that no policy names. */
export function ConsentModal({ profile, policy, onClose }: ConsentModalProps) {
  const queries = useQueryClient();
  const categories = useQuery(categoriesQuery).data ?? [];
  const saving = useMutation({
    mutationFn: (form: FormData) => {
      const reading = String(form.get('reading') ?? '');
      const kept = (policy?.permissions ?? []).filter(
        (each) => !each.startsWith('read_') && each !== 'propose' && each !== 'none',
      );
      const permissions = [
        ...(reading ? [reading] : []),
        ...(form.get('propose') === 'on' ? ['propose'] : []),
        ...kept,
      ];
      return client.call('memory.policy.put', {
        ...policy?.document,
        profile,
        name: String(form.get('name') ?? '').trim(),
        agentPattern: String(form.get('agents') ?? '').trim(),
        permissions: permissions.length > 0 ? permissions : ['none'],
        allow: lines(form.get('allow')),
        deny: lines(form.get('deny')),
      });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['memory'] });
      onClose();
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={policy ? 'Change this consent' : 'Give consent'}
      description="It holds from the next request on. What an agent has read already, it has read; you see what under each memory."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label="Name" name="name" required maxLength={100} defaultValue={policy?.name} autoFocus />
        <TextField
          label="Agents"
          name="agents"
          required
          maxLength={300}
          spellCheck={false}
          defaultValue={policy?.agentPattern ?? 'did:a2p:agent:local:*'}
          hint="A DID; * stands for any run of characters. Local agents are did:a2p:agent:local:NAME."
        />
        <SelectField
          label="They may"
          name="reading"
          options={READING}
          defaultValue={READING.find(([name]) => policy?.permissions.includes(name))?.[0] ?? 'read_scoped'}
        />
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            name="propose"
            defaultChecked={policy?.permissions.includes('propose') ?? true}
            className="size-4 accent-accent-solid"
          />
          and propose new memories, which wait for you
        </label>
        <TextArea
          label="Of these categories"
          name="allow"
          rows={2}
          required
          spellCheck={false}
          defaultValue={policy?.allow.join('\n') ?? 'a2p:preferences.*'}
          hint={`One in each line, such as ${exampleOf(categories)}.`}
        />
        <TextArea
          label="Never of these"
          name="deny"
          rows={2}
          spellCheck={false}
          defaultValue={policy?.deny.join('\n') ?? 'a2p:health.*\na2p:financial.*'}
        />
        {saving.error && <ErrorNote error={saving.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={saving.isPending}>
            {policy ? 'Save' : 'Give consent'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function exampleOf(categories: readonly { readonly category: string }[]): string {
  const known = categories.slice(0, 2).map(({ category }) => `${category}.*`);
  return known.length > 0 ? known.join(' or ') : 'a2p:professional.*';
}
