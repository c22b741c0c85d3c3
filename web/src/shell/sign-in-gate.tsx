import { BatonRequestError, BatonUnreachableError } from '@baton-ledger/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery, signInByLink } from '../api/session.ts';
import { SignInPage } from './sign-in-page.tsx';
import { StartingPage } from './starting-page.tsx';

type Arrival = { readonly step: 'none' | 'opening' } | { readonly step: 'refused'; readonly error: unknown };

const JoinPage = lazy(async () => ({ default: (await import('../join/join-page.tsx')).JoinPage }));

/** Takes the link out of the address at once, so that it stays in no history. */
function takeLink(path: string): string | undefined {
  if (location.pathname !== path) return undefined;
  const link = location.hash.slice(1);
  history.replaceState(null, '', `/${location.search}`);
  return link || undefined;
}

const LOOK_AGAIN_MS = 2_000;

const link = takeLink('/sign-in');
const invited = takeLink('/join');

/** Shows the dashboard to whoever is signed in, and to everybody else how to be. */
export function SignInGate({ children }: { children: ReactNode }) {
  const [invitation, setInvitation] = useState(invited);
  const [arrival, setArrival] = useState<Arrival>({ step: link ? 'opening' : 'none' });
  const session = useQuery({
    ...sessionQuery,
    enabled: arrival.step !== 'opening',
    // The page says that it opens by itself once there is a server.
    refetchInterval: ({ state }) => (state.error instanceof BatonUnreachableError ? LOOK_AGAIN_MS : false),
  });

  useEffect(() => {
    if (arrival.step !== 'opening' || !link) return;
    void openOnce(link).then((error) => setArrival(error ? { step: 'refused', error } : { step: 'none' }));
  }, [arrival.step]);

  if (invitation !== undefined) {
    return (
      <Suspense fallback={<StartingPage />}>
        <JoinPage invitation={invitation} onDone={() => setInvitation(undefined)} />
      </Suspense>
    );
  }
  if (session.data && !isSignedOut(session.error)) return children;
  if (arrival.step === 'opening' || session.isPending) return <StartingPage />;
  const problem =
    arrival.step === 'refused' ? arrival.error : isSignedOut(session.error) ? undefined : session.error;
  return (
    <SignInPage
      problem={problem}
      unreachable={session.error instanceof BatonUnreachableError}
      checking={session.isFetching}
      onRetry={() => void session.refetch()}
    />
  );
}

let opening: Promise<unknown> | undefined;

/** A link works once, and React runs effects twice while developing. */
function openOnce(link: string): Promise<unknown> {
  opening ??= signInByLink(link)
    .then(() => queryClient.resetQueries({ queryKey: ['whoami'] }))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return opening;
}

function isSignedOut(error: unknown): boolean {
  return error instanceof BatonRequestError && (error.status === 401 || error.status === 403);
}
