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
import { argumentEdits } from './argument-fields.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { approvalQuery } from './content/approval-query.ts';
import { proposalQuery } from './content/proposal-query.ts';
import { EditFields, editsOf } from './edit-fields.tsx';
import { NoPassphrase, PresencePrompt } from './presence-prompt.tsx';
import { type InboxItem, itemQuery } from './queries.ts';

export interface Intent {
  readonly decision: 'approve' | 'reject' | 'approve_with_edits';
  readonly item: InboxItem;
  /** To answer in words: a question with them, anything else with a no that says what to do instead. */
  readonly words?: boolean;
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

const answer = { title: 'Answer in words', button: 'Answer', note: 'Your answer' } as const;
const answerNo = {
  title: 'Answer instead of approving?',
  button: 'Reject with this answer',
  note: 'What the agent should do instead',
} as const;

/**
 * Asks once more, takes a note, and shows the answer of the server before anything is called decided. Where the
 * server wants to know that a person is there, the passphrase or passkey is asked for and the decision sent again.
 */
export function DecisionModal({
  intent,
  undoSeconds = 0,
  onDecided,
  onClose,
}: {
  intent: Intent;
  /** How long the effect is held back. */
  undoSeconds?: number;
  onDecided?: (item: InboxItem) => void;
  onClose: () => void;
}) {
  const { decision, item } = intent;
  const queries = useQueryClient();
  const [passphrase, setPassphrase] = useState('');
  const sending = useMutation({
    mutationFn: async (form: FormData) => {
      const note = String(form.get('note') ?? '').trim();
      const proposal = queries.getQueryData(proposalQuery(item).queryKey);
      const choice = form.get('choice');
      const edits =
        decision !== 'approve_with_edits'
          ? undefined
          : item.kind === 'carp_approval'
            ? argumentEdits(form, queries.getQueryData(approvalQuery(item.id).queryKey)?.parameters ?? null)
            : editsOf(item, form, proposal);
      if (passphrase) await client.call('identity.login', { passphrase });
      return client.call('inbox.decide', {
        id: item.id,
        digest: item.digest,
        decision: decision === 'approve_with_edits' && edits === undefined ? 'approve' : decision,
        ...(edits !== undefined && { edits: edits as never }),
        ...(typeof choice === 'string' && { choice }),
        ...(note && { note }),
        ...(undoSeconds > 0 && { undo_seconds: undoSeconds }),
      });
    },
    onSuccess: (decided) => {
      queries.setQueryData(itemQuery(item.id).queryKey, decided);
      onClose();
      onDecided?.(decided);
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

  const { title, button, note, tone } = intent.words
    ? { ...(item.kind === 'question' ? answer : answerNo), tone: words[decision].tone }
    : words[decision];
  return (
    <Modal open onClose={onClose} title={title} description={titleWords(item.title)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-small text-soft">
          For the content{' '}
          <code className="font-mono">{shorten(item.digest.replace(/^jcs-sha256:/, ''))}</code>, asked by{' '}
          {item.requested_by.id}. It is recorded with your name
          {undoSeconds > 0 ? `, and can be undone for ${undoSeconds} s.` : ' and cannot be taken back.'}
        </p>
        {decision === 'approve_with_edits' && <EditFields item={item} />}
        {decision === 'approve' && <ChoiceFields choices={item.choices} />}
        {decision === 'approve' && <WhatCounts item={item} />}
        <TextArea
          label={note}
          name="note"
          maxLength={2000}
          rows={intent.words ? 4 : 2}
          required={intent.words ?? false}
          autoFocus={intent.words ?? false}
        />
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
            autoFocus={!askPresence && decision !== 'approve_with_edits' && !intent.words}
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

/** The values that matter, once more beside the button that approves them. */
function WhatCounts({ item }: { item: InboxItem }) {
  if (!item.highlights || item.highlights.length === 0) return null;
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-small">
      {item.highlights.map(({ name, value, deciding }, at) => (
        <span key={name}>
          {at > 0 && ' · '}
          {name} {deciding ? <strong className="font-semibold">{String(value)}</strong> : String(value)}
        </span>
      ))}
    </p>
  );
}
