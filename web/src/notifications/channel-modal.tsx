import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import { enableInThisBrowser } from './browser-channel.ts';
import type { Channel, NewChannel } from './queries.ts';
import type { Rule } from './rule-choices.ts';
import { RuleFields } from './rule-fields.tsx';

type Kind = Channel['kind'];

const KINDS: readonly (readonly [Kind, string])[] = [
  ['browser', 'This browser, while a page is open'],
  ['email', 'E-mail'],
  ['slack', 'Slack, Mattermost or alike'],
  ['webhook', 'A webhook of my own'],
  ['ntfy', 'ntfy'],
];

const ADDRESSES: Readonly<Record<Exclude<Kind, 'browser'>, readonly [label: string, placeholder: string]>> = {
  email: ['E-mail address', 'ana@example.com'],
  slack: ['Address of the incoming webhook', 'https://hooks.slack.com/services/…'],
  webhook: ['Address', 'https://example.com/baton'],
  ntfy: ['Address with the topic', 'https://ntfy.sh/my-topic'],
};

const CONTENTS = [
  ['kind', 'What kind of thing, its risk and project'],
  ['title', 'Its title as well'],
  ['nothing', 'Only that something waits'],
] as const;

const DEFAULT_RULES: Rule[] = [
  { project: '*', kind: 'inbox', when: 'now', least_risk: 'medium' },
  { project: '*', kind: 'expiring', when: 'now', minutes_before: 15 },
  { project: '*', kind: 'budget', when: 'now' },
  { project: '*', kind: 'run_stopped', when: 'now' },
];

/** Adds a channel, or changes one. Where it leads is said once and not shown again. */
export function ChannelModal({
  channel,
  mail,
  onClose,
}: {
  channel?: Channel | undefined;
  mail: boolean;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>(channel?.kind ?? 'browser');
  const [rules, setRules] = useState<Rule[]>(channel?.rules ?? DEFAULT_RULES);
  const saving = useMutation({
    mutationFn: async (fields: FormData) => {
      const settings = settingsOf(fields, rules);
      if (channel) {
        await client.call('notifications.change', { channel_id: channel.channel_id, ...settings });
        return undefined;
      }
      if (kind === 'browser') return enableInThisBrowser(settings);
      const token = textOf(fields, 'token');
      const given: NewChannel = {
        kind,
        address: textOf(fields, 'address'),
        ...(token && { token }),
        ...settings,
      };
      return (await client.call('notifications.add', given)).secret;
    },
    onSuccess: (secret) => {
      void queries.invalidateQueries({ queryKey: ['notifications'] });
      if (secret === undefined) onClose();
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  }

  if (saving.data !== undefined) return <SecretShown secret={saving.data} onClose={onClose} />;
  const address = channel || kind === 'browser' ? undefined : ADDRESSES[kind];
  return (
    <Modal
      open
      onClose={onClose}
      title={channel ? `Change ${channel.label}` : 'Add a channel'}
      description="How you are told what waits, of what, and how much a message says."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        {!channel && (
          <SelectField
            label="Where to"
            options={KINDS.filter(([each]) => each !== 'email' || mail)}
            value={kind}
            onChange={(event) => setKind(event.target.value as Kind)}
            {...(!mail && { hint: 'E-mail needs a mail server, which the owner sets below.' })}
          />
        )}
        {address && (
          <TextField
            key={kind}
            label={address[0]}
            name="address"
            placeholder={address[1]}
            required
            autoComplete="off"
            spellCheck={false}
            hint="Sealed in the store, and not shown again."
          />
        )}
        {!channel && kind === 'ntfy' && (
          <TextField label="Access token (optional)" name="token" type="password" autoComplete="off" />
        )}
        <TextField
          label="What you call it"
          name="label"
          maxLength={100}
          defaultValue={channel?.label ?? ''}
          placeholder={kind === 'browser' ? 'My laptop' : 'Team'}
        />
        <SelectField
          label="A message says"
          name="content"
          options={CONTENTS}
          defaultValue={channel?.content ?? 'kind'}
        />
        <RuleFields rules={rules} onChange={setRules} />
        <fieldset className="grid grid-cols-2 gap-3 rounded-control border border-line p-3">
          <legend className="px-1 font-medium text-small">When it keeps quiet</legend>
          <TextField label="From" name="quiet_from" type="time" defaultValue={channel?.quiet?.from ?? ''} />
          <TextField label="To" name="quiet_to" type="time" defaultValue={channel?.quiet?.to ?? ''} />
          <TextField
            label="Time zone"
            name="zone"
            required
            defaultValue={channel?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
            spellCheck={false}
          />
          <TextField
            label="Once a day at"
            name="digest_at"
            type="time"
            required
            defaultValue={channel?.digest_at ?? '08:00'}
          />
        </fieldset>
        {saving.error && <ErrorNote error={saving.error} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={saving.isPending}>
            {channel ? 'Save' : 'Add'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Modal
      open
      onClose={onClose}
      title="Copy the secret now"
      description="Whoever receives the messages checks their signatures with it. It is shown once."
    >
      <div className="flex items-start gap-1 rounded-control bg-sunken p-3">
        <code className="min-w-0 flex-1 break-all font-mono text-small">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <Button tone="primary" onClick={onClose}>
        I have copied it
      </Button>
    </Modal>
  );
}

function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim();
}

function settingsOf(fields: FormData, rules: Rule[]) {
  const label = textOf(fields, 'label');
  const [from, to] = [textOf(fields, 'quiet_from'), textOf(fields, 'quiet_to')];
  return {
    ...(label && { label }),
    content: textOf(fields, 'content') as Channel['content'],
    rules,
    quiet: from && to ? { from, to } : null,
    zone: textOf(fields, 'zone'),
    digest_at: textOf(fields, 'digest_at'),
  };
}
