import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { client } from '../api/client.ts';
import { useMe } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { addPasskey, type Passkey, passkeysQuery } from './passkeys.ts';

/** The first one needs nothing before it; then only somebody who is present adds or removes one. */
export function PasskeysCard() {
  const me = useMe();
  const list = useQuery(passkeysQuery);
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ['passkeys'] });
    void queries.invalidateQueries({ queryKey: ['whoami'] });
  };
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      form.current?.reset();
      refresh();
    },
  });
  const removing = useMutation({
    mutationFn: (passkey: Passkey) => client.call('passkeys.remove', { passkey_id: passkey.passkey_id }),
    onSuccess: refresh,
  });
  const locked = !me.present && (me.passphrase_set || me.passkeys > 0);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    adding.mutate(String(new FormData(event.currentTarget).get('label') ?? '').trim());
  }

  return (
    <Card title="Passkeys">
      <p className="text-small text-soft">
        A fingerprint, a face or a security key proves that you are here, as the passphrase does, for 15
        minutes.
      </p>
      {list.isPending ? (
        <SkeletonRows rows={1} className="mt-3 h-10" />
      ) : list.error ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <ul aria-label="Your passkeys" className="mt-3 divide-y divide-line empty:hidden">
          {list.data.passkeys.map((passkey) => (
            <li key={passkey.passkey_id} className="flex items-center gap-3 py-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{passkey.label ?? 'Passkey'}</span>
                <span className="block text-small text-soft">
                  {passkey.host}, {passkey.last_used_at ? 'used ' : 'added '}
                  <TimeAgo at={passkey.last_used_at ?? passkey.created_at} />
                </span>
              </span>
              <Button
                tone="quiet"
                disabled={locked}
                busy={removing.isPending && removing.variables === passkey}
                onClick={() => removing.mutate(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {locked ? (
        <div className="mt-3 flex flex-col gap-2">
          <p className="text-small text-soft">To add or remove one, first prove that you are here.</p>
          {me.passkeys > 0 && <PasskeyButton />}
          {me.passphrase_set && <PassphraseUnlock />}
        </div>
      ) : (
        <form ref={form} onSubmit={submit} className="mt-3 flex flex-col gap-3">
          <TextField
            label="Name (optional)"
            name="label"
            maxLength={100}
            hint="What it is on: this laptop."
          />
          <Button type="submit" icon="key" busy={adding.isPending}>
            Add a passkey
          </Button>
        </form>
      )}
      <div aria-live="polite" className="mt-3 empty:hidden">
        {adding.error && <ErrorNote error={adding.error} />}
        {removing.error && <ErrorNote error={removing.error} />}
        {adding.isSuccess && <p className="font-medium text-good">The passkey is added.</p>}
      </div>
    </Card>
  );
}

function PassphraseUnlock() {
  const queries = useQueryClient();
  const proving = useMutation({
    mutationFn: (passphrase: string) => client.call('identity.login', { passphrase }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['whoami'] }),
  });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        proving.mutate(String(new FormData(event.currentTarget).get('unlock') ?? ''));
      }}
    >
      <TextField label="Passphrase" name="unlock" type="password" autoComplete="current-password" required />
      <Button type="submit" icon="lock" busy={proving.isPending}>
        Unlock
      </Button>
      {proving.error && <ErrorNote error={proving.error} />}
    </form>
  );
}
