import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { mailQuery } from './queries.ts';

const SECURITY = [
  ['starttls', 'STARTTLS'],
  ['tls', 'TLS from the start'],
  ['none', 'None (no password)'],
] as const;

/** The operator's: the server that e-mails go out through. */
export function MailCard() {
  const queries = useQueryClient();
  const { data } = useQuery(mailQuery);
  const [editing, setEditing] = useState(false);
  const reread = () => {
    setEditing(false);
    return queries.invalidateQueries({ queryKey: ['notifications'] });
  };
  const setting = useMutation({
    mutationFn: (fields: FormData) => {
      const text = (name: string) => String(fields.get(name) ?? '').trim();
      const port = Number(text('port'));
      return client.call('notifications.mail_set', {
        host: text('host'),
        from: text('from'),
        security: text('security') as (typeof SECURITY)[number][0],
        ...(port > 0 && { port }),
        ...(text('user') && { user: text('user'), password: String(fields.get('password') ?? '') }),
      });
    },
    onSuccess: reread,
  });
  const removing = useMutation({
    mutationFn: () => client.call('notifications.mail_remove', {}),
    onSuccess: reread,
  });
  const mail = data?.mail;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setting.mutate(new FormData(event.currentTarget));
  }

  return (
    <Card title="Mail server">
      {mail ? (
        <p className="text-small text-soft">
          E-mails go out as <span className="text-ink">{mail.from}</span> through{' '}
          <span className="break-all text-ink">
            {mail.host}:{mail.port}
          </span>
          . The password is sealed and not shown.
        </p>
      ) : (
        <p className="text-small text-soft">With a mail server, people can choose to be told by e-mail.</p>
      )}
      {editing && (
        <form onSubmit={submit} className="mt-3 flex flex-col gap-3">
          <TextField label="Host" name="host" required defaultValue={mail?.host} spellCheck={false} />
          <SelectField
            label="Encryption"
            name="security"
            options={SECURITY}
            defaultValue={mail?.security ?? 'starttls'}
          />
          <TextField
            label="Port"
            name="port"
            inputMode="numeric"
            pattern="\d{1,5}"
            placeholder="587"
            defaultValue={mail?.port}
          />
          <TextField label="Sender" name="from" type="email" required defaultValue={mail?.from} />
          <TextField label="User (optional)" name="user" autoComplete="off" spellCheck={false} />
          <TextField
            label="Password (optional)"
            name="password"
            type="password"
            autoComplete="new-password"
          />
          {setting.error && <ErrorNote error={setting.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setEditing(false)}>Cancel</Button>
            <Button type="submit" tone="primary" busy={setting.isPending}>
              Save
            </Button>
          </div>
        </form>
      )}
      {!editing && (
        <div className="mt-3 flex gap-2">
          <Button onClick={() => setEditing(true)}>{mail ? 'Change' : 'Set a mail server'}</Button>
          {mail && (
            <Button tone="quiet" busy={removing.isPending} onClick={() => removing.mutate()}>
              Remove
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}
