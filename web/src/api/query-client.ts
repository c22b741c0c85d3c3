import { BatonRequestError } from '@baton-ledger/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';

const ATTEMPTS = 2;

/** A refusal stays one however often it is asked; what the server calls retryable, and a lost line, may pass. */
function worthRetrying(attempts: number, error: Error): boolean {
  if (error instanceof BatonRequestError && !error.retryable) return false;
  return attempts < ATTEMPTS;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      const signedOut = error instanceof BatonRequestError && error.status === 401;
      if (signedOut && query.queryKey[0] !== 'whoami') {
        void queryClient.invalidateQueries({ queryKey: ['whoami'] });
      }
    },
  }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: worthRetrying, retryDelay: 800 },
    mutations: { retry: false },
  },
});
