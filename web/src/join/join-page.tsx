import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client, rememberCsrfToken } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { addPasskey } from '../presence/passkeys.ts';
import { Logo } from '../shell/logo.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { scopeWords } from './scope-words.ts';

/** Where an invited person begins: what they are offered, how they will prove that they are there, and their key. */
export function JoinPage({ invitation, onDone }: { invitation: string; onDone: () => void }) {
  const offer = useQuery({
    queryKey: ['invitation'],
    queryFn: () => client.call('invitations.look', { invitation }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [passkeyError, setPasskeyError] = useState<unknown>();
  const joining = useMutation({
    mutationFn: async (passphrase: string | undefined) => {
      const joined = await client.call('invitations.accept', {
        invitation,
        ...(passphrase !== undefined && { passphrase }),
      });
      rememberCsrfToken(joined.csrf_token);
      if (passphrase === undefined) await addPasskey('').catch(setPasskeyError);
      return joined.token;
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    joining.mutate(String(new FormData(event.currentTarget).get('passphrase') ?? ''));
  }

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-md rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
        <span className="flex items-center gap-3 font-semibold text-lead">
          <Logo />
          Baton
        </span>
        {joining.data !== undefined ? (
          <Welcome
            token={joining.data}
            problem={passkeyError}
            onDone={() => {
              void queryClient.resetQueries({ queryKey: ['whoami'] });
              onDone();
            }}
          />
        ) : offer.isPending ? (
          <SkeletonRows rows={4} className="mt-6 h-8" />
        ) : offer.error ? (
          <>
            <h1 className="mt-6 mb-4 font-semibold text-title tracking-tight">
              This invitation cannot be used
            </h1>
            <ErrorNote error={offer.error} />
            <Button className="mt-6 w-full" onClick={onDone}>
              Sign in instead
            </Button>
          </>
        ) : (
          <>
            <h1 className="mt-6 font-semibold text-title tracking-tight">
              You are invited, {offer.data.display_name}
            </h1>
            <p className="mt-2 text-soft">
              {offer.data.invited_by} invites you to{' '}
              <span className="text-ink">
                {offer.data.projects[0] === '*' ? 'all projects' : offer.data.projects.join(', ')}
              </span>
              . In the journal you are <code className="font-mono">{offer.data.actor_id}</code>. You may{' '}
              {scopeWords(offer.data.scopes)}.
            </p>
            <form onSubmit={submit} className="mt-5 flex flex-col gap-3">
              <TextField
                label="Choose a passphrase"
                name="passphrase"
                type="password"
                autoComplete="new-password"
                required
                hint="At least ten characters. High-risk decisions ask for it, so that no program makes them for you."
              />
              {joining.error && <ErrorNote error={joining.error} />}
              <Button type="submit" tone="primary" busy={joining.isPending}>
                Join
              </Button>
              <Button disabled={joining.isPending} icon="key" onClick={() => joining.mutate(undefined)}>
                Join with a passkey instead
              </Button>
            </form>
          </>
        )}
      </div>
    </main>
  );
}

function Welcome({ token, problem, onDone }: { token: string; problem: unknown; onDone: () => void }) {
  return (
    <>
      <h1 className="mt-6 font-semibold text-title tracking-tight">Copy your key now</h1>
      <p className="mt-2 text-soft">
        You sign in with it the next time, here or in a terminal. It is shown once and not stored.
      </p>
      <div className="mt-4 flex items-start gap-1 rounded-control bg-sunken p-3">
        <code className="min-w-0 flex-1 break-all font-mono text-small">{token}</code>
        <CopyButton text={token} label="Copy the key" />
      </div>
      {problem !== undefined && (
        <div className="mt-4">
          <ErrorNote error={problem} />
          <p className="mt-2 text-small text-soft">
            You have joined without a passkey. Add one, or a passphrase, in the settings.
          </p>
        </div>
      )}
      <Button tone="primary" className="mt-6 w-full" onClick={onDone}>
        I have copied it
      </Button>
    </>
  );
}
