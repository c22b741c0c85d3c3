import { Button } from '../ui/button.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { KeyForm } from './key-form.tsx';
import { Logo } from './logo.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

interface SignInPageProps {
  readonly problem: unknown;
  readonly unreachable: boolean;
  readonly checking: boolean;
  readonly onRetry: () => void;
}

export function SignInPage({ problem, unreachable, checking, onRetry }: SignInPageProps) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-md rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
        <div className="flex items-center justify-between">
          <span className="flex items-center gap-3 font-semibold text-lead">
            <Logo />
            Baton
          </span>
          <ThemeToggle />
        </div>
        <p className="mt-3 text-small text-soft">
          The one ledger that a team of AI agents and people works from.
        </p>
        {unreachable ? (
          <>
            <h1 className="mt-6 font-semibold text-title tracking-tight">Baton is not running</h1>
            <p className="mt-2 text-soft">Start it in a terminal; this page opens as soon as it answers.</p>
            <div className="mt-4">
              <CommandLine command="npx baton-ledger up" />
            </div>
          </>
        ) : (
          <>
            <h1 className="mt-6 mb-4 font-semibold text-title tracking-tight">Sign in</h1>
            <KeyForm />
            <p className="mt-6 border-line border-t pt-4 text-small text-soft">
              Or with a one-time link. On the machine where Baton runs, this opens the dashboard in your
              browser:
            </p>
            <div className="mt-3">
              <CommandLine command="npx baton-ledger open" />
            </div>
            <p className="mt-2 text-faint text-small">
              Baton also prints a link when it starts in a terminal. A link works once, within five minutes.
            </p>
          </>
        )}
        {problem !== undefined && problem !== null && !unreachable && (
          <div className="mt-5">
            <ErrorNote error={problem} />
          </div>
        )}
        <Button className="mt-6 w-full" busy={checking} onClick={onRetry}>
          Check again
        </Button>
      </div>
    </main>
  );
}
