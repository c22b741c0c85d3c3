import { createClient } from '@baton-ledger/client';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { queryClient } from '../api/query-client.ts';
import { signInByLink } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';

/** The key is sent once, for a link, and is kept nowhere: the session that the link opens ends by itself. */
export function KeyForm() {
  const signingIn = useMutation({
    mutationFn: async (token: string) => {
      const { path } = await createClient({ token }).call('identity.dashboard_link', {});
      await signInByLink(path.slice(path.indexOf('#') + 1));
    },
    onSuccess: () => queryClient.resetQueries({ queryKey: ['whoami'] }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    signingIn.mutate(String(new FormData(event.currentTarget).get('key') ?? '').trim());
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <TextField
        label="Your key"
        name="key"
        type="password"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="baton_…"
        hint="It is sent once and kept nowhere."
      />
      {signingIn.error && <ErrorNote error={signingIn.error} />}
      <Button type="submit" tone="primary" icon="key" busy={signingIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
