import { BatonRequestError } from '@baton-ledger/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { useMe } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextArea } from '../ui/field.tsx';
import { shorten, titleWords } from '../ui/id-words.ts';
import { Modal } from '../ui/modal.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { proposalQuery } from './content/proposal-query.ts';
import { EditFields, editsOf } from './edit-fields.tsx';
import { NoPassphrase, PresencePrompt } from './presence-prompt.tsx';
import { type InboxItem, itemQuery } from './queries.ts';

export interface Intent {
  readonly decision: 'approve' | 'reject' | 'approve_with_edits';
  readonly item: InboxItem;
}

const words = {
  approve: { title: 'Approve this?', button: 'Approve', note: 'Note (optional)', tone: 'good' },
  approve_with_edits: {
    title: 'Approve with edits?',
    button: 'Approve with edits',
    note: 'Note (optional)',
    tone: 'good',
  },
  reject: {
    title: 'Reject this?',
    button: 'Reject',
    note: 'Why not (optional, but it helps)',
    tone: 'bad',
  },
} as const;

/**
 * Asks once more, takes a note, and shows the answer of the server before anything is called decided. Where the
 * server wants to know that a person is there, the passphrase or passkey is asked for and the decision sent again.
 */
export function DecisionModal({ intent, onClose }: { intent: Intent; onClose: () => void }) {
  const { decision, item } = intent;
  const queries = useQueryClient();
  const [passphrase, setPassphrase] = useState('');
  const sending = useMutation({
    mutationFn: async (form: FormData) => {
      const note = String(form.get('note') ?? '').trim();
      const proposal = queries.getQueryData(proposalQuery(item).queryKey);
      const choice = form.get('choice');
      const edits = decision === 'approve_with_edits' ? editsOf(item, form, proposal) : undefined;
      if (passphrase) await client.call('identity.login', { passphrase });
      return client.call('inbox.decide', {
        id: item.id,
        digest: item.digest,
        decision: decision === 'approve_with_edits' && edits === undefined ? 'approve' : decision,
        ...(edits !== undefined && { edits: edits as never }),
        ...(typeof choice === 'string' && { choice }),
        ...(note && { note }),
      });
    },
    onSuccess: (decided) => {
      queries.setQueryData(itemQuery(item.id).queryKey, decided);
      onClose();
    },
    /** Whatever the answer, the item may have changed. */
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['inbox'] });
      void queries.invalidateQueries({ queryKey: ['whoami'] });
    },
  });
  const me = useMe();
  const wantsPresence = codeOf(sending.error) === 'presence_required';
  const askPresence = !me.present && (item.needs_presence || wantsPresence);
  const canProve = me.passphrase_set || me.passkeys > 0;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    sending.mutate(new FormData(event.currentTarget));
  }

  const { title, button, note, tone } = words[decision];
  return (
    <Modal open onClose={onClose} title={title} description={titleWords(item.title)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-small text-soft">
          For the content{' '}
          <code className="font-mono">{shorten(item.digest.replace(/^jcs-sha256:/, ''))}</code>, asked by{' '}
          {item.requested_by.id}. It is recorded with your name and cannot be taken back.
        </p>
        {decision === 'approve_with_edits' && <EditFields item={item} />}
        {decision === 'approve' && <ChoiceFields choices={item.choices} />}
        <TextArea label={note} name="note" maxLength={2000} rows={2} />
        {askPresence &&
          (canProve ? (
            <PresencePrompt
              hasPassphrase={me.passphrase_set}
              hasPasskey={me.passkeys > 0}
              passphrase={passphrase}
              onChange={setPassphrase}
            />
          ) : (
            <NoPassphrase />
          ))}
        {sending.error && !wantsPresence && <ErrorNote error={sending.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone={tone}
            disabled={askPresence && !passphrase}
            busy={sending.isPending}
            autoFocus={!askPresence && decision !== 'approve_with_edits'}
          >
            {button}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof BatonRequestError ? error.code : undefined;
}
