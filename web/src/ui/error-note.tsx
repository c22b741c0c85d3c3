import { BatonRequestError, BatonUnreachableError } from '@baton-ledger/client';
import { Icon } from './icon.tsx';
import { WithCode } from './with-code.tsx';

/** What went wrong and what to do about it, in the server's own words. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { title, next, code } = inWords(error);
  return (
    <div role="alert" className="flex gap-3 rounded-control bg-bad-soft p-3 text-bad">
      <Icon name="warning" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <WithCode text={title} />
        </p>
        {next && (
          <p className="mt-0.5 break-words">
            <WithCode text={next} />
          </p>
        )}
        {code && <p className="mt-1 break-all font-mono text-tiny">{code}</p>}
      </div>
      {onRetry && (
        <button
          type="button"
          onClick={onRetry}
          className="h-8 shrink-0 rounded-md border border-current/40 px-2.5 font-medium text-small"
        >
          Try again
        </button>
      )}
    </div>
  );
}

interface Words {
  readonly title: string;
  readonly next?: string | undefined;
  readonly code?: string | undefined;
}

function inWords(error: unknown): Words {
  if (error instanceof BatonRequestError) {
    const logged = error.status >= 500 && error.requestId !== undefined;
    const where = logged ? ` · request ${error.requestId}` : '';
    return { title: error.message, next: error.next, code: `${error.code}${where}` };
  }
  if (error instanceof BatonUnreachableError) {
    return {
      title: error.message,
      next: 'Check that `npx baton-ledger up` is still running; this page resumes by itself when it is back.',
    };
  }
  return { title: error instanceof Error ? error.message : String(error) };
}
