import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { client } from '../api/client.ts';
import { useMe } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';

/** A session does not prove that a person is there: an agent with a shell can open a dashboard too. */
export function PassphraseCard() {
  const me = useMe();
  const form = useRef<HTMLFormElement>(null);
  const queries = useQueryClient();
  const setting = useMutation({
    mutationFn: (fields: { passphrase: string; current?: string }) =>
      client.call('identity.passphrase_set', fields),
    onSuccess: () => {
      form.current?.reset();
      void queries.invalidateQueries({ queryKey: ['whoami'] });
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const current = String(fields.get('current') ?? '');
    setting.mutate({ passphrase: String(fields.get('passphrase') ?? ''), ...(current && { current }) });
  }

  return (
    <Card title={me.passphrase_set ? 'Change the passphrase' : 'Set a passphrase'}>
      <p className="text-small text-soft">
        {me.passphrase_set
          ? 'High-risk decisions require it, so that a program on your machine cannot make them for you.'
          : 'You have none yet. High-risk decisions will require it, so that a program on your machine cannot make them for you.'}
      </p>
      <form ref={form} onSubmit={submit} className="mt-4 flex flex-col gap-3">
        <TextField
          label="New passphrase"
          name="passphrase"
          type="password"
          autoComplete="new-password"
          required
          hint="At least ten characters; a few unrelated words work well."
        />
        {me.passphrase_set && !me.present && (
          <TextField
            label="Current passphrase"
            name="current"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
        <Button type="submit" icon="lock" busy={setting.isPending}>
          Save
        </Button>
        <div aria-live="polite" className="empty:hidden">
          {setting.error && <ErrorNote error={setting.error} />}
          {setting.isSuccess && <p className="font-medium text-good">The passphrase is set.</p>}
        </div>
      </form>
    </Card>
  );
}
