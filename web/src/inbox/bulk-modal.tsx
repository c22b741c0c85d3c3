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
import { RiskBars } from '../ui/risk-bars.tsx';
import { spreadsOf, spreadWords } from './amounts.ts';
import { NoPassphrase, PresencePrompt } from './presence-prompt.tsx';
import type { ManyResult } from './queries.ts';
import type { Chosen } from './selection.ts';

export interface BulkIntent {
  readonly decision: 'approve' | 'reject';
  readonly chosen: Chosen;
}

interface BulkModalProps {
  readonly intent: BulkIntent;
  readonly undoSeconds: number;
  /** Told of every item that was decided; those that were not stay selected. */
  readonly onDecided: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** As many as the server decides at once. */
const AT_ONCE = 200;

/** Repeats everything that is about to be decided, item by item, and afterwards says of every one what came of it. */
export function BulkModal({ intent, undoSeconds, onDecided, onClose }: BulkModalProps) {
  const { decision } = intent;
  const me = useMe();
  const queries = useQueryClient();
  const [items, setItems] = useState([...intent.chosen.values()]);
  const [passphrase, setPassphrase] = useState('');
  const [refused, setRefused] = useState<readonly ManyResult[]>([]);
  const sending = useMutation({
    mutationFn: async (note: string) => {
      if (passphrase) await client.call('identity.login', { passphrase });
      const results: ManyResult[] = [];
      for (let at = 0; at < items.length; at += AT_ONCE) {
        const answer = await client.call('inbox.decide_many', {
          decision,
          decisions: items.slice(at, at + AT_ONCE).map(({ id, digest }) => ({ id, digest })),
          undo_seconds: undoSeconds,
          ...(note && { note }),
        });
        results.push(...answer.results);
      }
      return results;
    },
    onSuccess: (results) => {
      const left = results.filter(({ outcome }) => outcome === 'refused');
      onDecided(results.filter(({ outcome }) => outcome !== 'refused').map(({ id }) => id));
      if (left.length === 0) return onClose();
      setRefused(left);
      setItems(items.filter(({ id }) => left.some((each) => each.id === id)));
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['inbox'] });
      void queries.invalidateQueries({ queryKey: ['whoami'] });
    },
  });
  const wantsPresence =
    sending.error instanceof BatonRequestError && sending.error.code === 'presence_required';
  const askPresence =
    !me.present &&
    (wantsPresence ||
      items.some(({ needs_presence }) => needs_presence) ||
      refused.some(({ error }) => error?.code === 'presence_required'));
  const canProve = me.passphrase_set || me.passkeys > 0;
  const verb = decision === 'approve' ? 'Approve' : 'Reject';
  const covers = [
    ...new Set(items.map(({ choices }) => choices[0]?.words).filter((words) => words !== undefined)),
  ];
  const sums = spreadsOf(items).map(spreadWords);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    sending.mutate(String(new FormData(event.currentTarget).get('note') ?? '').trim());
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={`${verb} ${items.length === 1 ? 'this one' : `these ${items.length}`}?`}
      description={
        sums.length > 0 ? sums.join('; ') : 'Each is decided by itself, by the digest that you saw.'
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <ul
          aria-label="What is decided"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keyboard
          tabIndex={0}
          className="max-h-56 divide-y divide-line overflow-y-auto rounded-control border border-line"
        >
          {items.map((item) => {
            const why = refused.find(({ id }) => id === item.id)?.error;
            return (
              <li key={item.id} className="flex flex-col px-3 py-1.5 text-small">
                <span className="flex items-baseline gap-2">
                  <RiskBars risk={item.risk} />
                  <span className="min-w-0 flex-1 truncate">
                    {(item.highlights ?? []).length > 0
                      ? item.highlights?.map(({ name, value }) => `${name} ${value}`).join(' · ')
                      : titleWords(item.title)}
                  </span>
                  <code className="font-mono text-faint text-tiny">
                    {shorten(item.digest.replace(/^jcs-sha256:/, ''))}
                  </code>
                </span>
                {why && <span className="text-bad">{why.message}</span>}
              </li>
            );
          })}
        </ul>
        {refused.length > 0 && (
          <p role="alert" className="font-medium text-bad text-small">
            {refused.length} could not be decided and stay selected. The others are.
          </p>
        )}
        {decision === 'approve' && covers.length > 0 && (
          <p className="text-small">
            You approve of each: <strong className="font-medium">{covers.slice(0, 3).join('; ')}</strong>
            {covers.length > 3 && ` and ${covers.length - 3} more`}.
          </p>
        )}
        <TextArea
          label={decision === 'approve' ? 'Note (optional)' : 'Why not (optional, but it helps)'}
          name="note"
          maxLength={2000}
          rows={2}
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
          <Button onClick={onClose}>{refused.length > 0 ? 'Close' : 'Cancel'}</Button>
          <Button
            type="submit"
            tone={decision === 'approve' ? 'good' : 'bad'}
            busy={sending.isPending}
            disabled={askPresence && !passphrase}
            autoFocus={!askPresence}
          >
            {verb} {items.length}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
