import { BatonRequestError } from '@baton/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { shorten } from '../ui/hash.tsx';
import { Modal } from '../ui/modal.tsx';
import { type InboxItem, itemQuery } from './queries.ts';

export interface Intent {
  readonly decision: 'approve' | 'reject';
  readonly item: InboxItem;
}

/**
 * Asks once more, takes a note, and shows the answer of the server before anything is called decided. Where the
 * server wants to know that a person is there, the passphrase is asked for and the decision sent again.
 */
export function DecisionModal({ intent, onClose }: { intent: Intent; onClose: () => void }) {
  const { decision, item } = intent;
  const queries = useQueryClient();
  const [passphrase, setPassphrase] = useState('');
  const sending = useMutation({
    mutationFn: async (note: string) => {
      if (passphrase) await client.call('identity.login', { passphrase });
      return client.call('inbox.decide', {
        id: item.id,
        decision,
        digest: item.digest,
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
  const [askPresence, setAskPresence] = useState(false);
  const wantsPresence = codeOf(sending.error) === 'presence_required';
  if (wantsPresence && !askPresence) setAskPresence(true);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    sending.mutate(String(new FormData(event.currentTarget).get('note') ?? '').trim());
  }

  const approving = decision === 'approve';
  return (
    <Modal
      open
      onClose={onClose}
      title={approving ? 'Approve this?' : 'Reject this?'}
      description={item.title}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-small text-soft">
          For the content{' '}
          <code className="font-mono">{shorten(item.digest.replace(/^jcs-sha256:/, ''))}</code>, asked by{' '}
          {item.requested_by.id}. It is recorded with your name and cannot be taken back.
        </p>
        <TextArea
          label={approving ? 'Note (optional)' : 'Why not (optional, but it helps)'}
          name="note"
          maxLength={2000}
          rows={2}
        />
        {askPresence && (
          <div className="rounded-control bg-warn-soft p-3">
            <p className="mb-2 font-medium text-warn">
              A decision of this risk needs proof that you are here. The passphrase holds for 15 minutes.
            </p>
            <TextField
              label="Passphrase"
              type="password"
              autoComplete="current-password"
              autoFocus
              required
              value={passphrase}
              onChange={(event) => setPassphrase(event.target.value)}
            />
          </div>
        )}
        {sending.error && !wantsPresence && <ErrorNote error={sending.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone={approving ? 'good' : 'bad'}
            busy={sending.isPending}
            autoFocus={!askPresence}
          >
            {approving ? 'Approve' : 'Reject'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof BatonRequestError ? error.code : undefined;
}
