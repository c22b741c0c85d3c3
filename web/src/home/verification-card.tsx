import { useLiveJournal } from '../live/use-live-journal.ts';
import { counted, seconds } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { useVerification, type Verification } from './use-verification.ts';

/** Whether the journal is what was written: asked of the server, which checks all of it. */
export function VerificationCard() {
  const { last, run } = useVerification();
  const { total } = useLiveJournal();
  return (
    <Card title="Verification">
      <div aria-live="polite" className="flex min-h-[5.5rem] items-start">
        {run.isPending ? (
          <Verdict tone="neutral" icon="busy" title="Checking every event…">
            Recomputing {total === undefined ? 'all hashes' : counted(total, 'hash', 'hashes')} and the signed
            tree.
          </Verdict>
        ) : run.error ? (
          <ErrorNote error={run.error} />
        ) : last ? (
          <Outcome verification={last} total={total} />
        ) : (
          <Verdict tone="neutral" icon="verify" title="Not verified yet">
            Every event carries the hash of the one before it, and all of them stand in a signed tree. A
            change anywhere shows.
          </Verdict>
        )}
      </div>
      <Button
        tone={last || run.isPending ? 'plain' : 'primary'}
        icon="verify"
        busy={run.isPending}
        onClick={() => run.mutate()}
        className="mt-3 w-full"
      >
        Verify now
      </Button>
    </Card>
  );
}

function Outcome({ verification, total }: { verification: Verification; total: number | undefined }) {
  const { report, at, took } = verification;
  if (!report.valid) {
    const [first] = report.faults;
    const others = report.fault_count - 1;
    return (
      <Verdict tone="bad" icon="warning" title="The journal was changed">
        {first ? (
          <>
            {first.message} <Place fault={first} />
          </>
        ) : (
          'The report names no reason.'
        )}
        {others > 0 && ` And ${counted(others, 'further fault')}.`} Keep the files as they are and restore a
        backup.
      </Verdict>
    );
  }
  const since = Math.max(0, (total ?? report.events) - report.events);
  return (
    <Verdict tone="good" icon="check" title="Intact">
      {counted(report.events, 'event')} in {counted(report.chains, 'chain')} checked in {seconds(took)},{' '}
      <TimeAgo at={at} />.
      {report.pruned > 0 &&
        ` ${counted(report.pruned, 'event')} by hash only: retention dropped the content.`}
      {since > 0 && ` ${counted(since, 'event')} since.`}
    </Verdict>
  );
}

/** Where it is, as far as the report says. */
function Place({ fault }: { fault: Readonly<Record<string, unknown>> }) {
  const places = ['leaf', 'sequence', 'chain', 'table', 'key'].flatMap((name) =>
    fault[name] === undefined || fault[name] === null ? [] : [`${name} ${String(fault[name])}`],
  );
  return (
    <code className="my-1 block break-all font-mono">{[String(fault.kind), ...places].join(' · ')}</code>
  );
}

const marks = {
  neutral: 'bg-sunken text-soft',
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
} as const;

function Verdict({
  tone,
  icon,
  title,
  children,
}: {
  tone: keyof typeof marks;
  icon: 'busy' | 'verify' | 'check' | 'warning';
  title: string;
  children: React.ReactNode;
}) {
  return (
    <div className="flex gap-3">
      <span className={`flex size-9 shrink-0 items-center justify-center rounded-full ${marks[tone]}`}>
        {icon === 'busy' ? <Spinner size={18} /> : <Icon name={icon} />}
      </span>
      <div className="min-w-0">
        <p className={`font-semibold ${tone === 'good' ? 'text-good' : tone === 'bad' ? 'text-bad' : ''}`}>
          {title}
        </p>
        <p className="mt-0.5 break-words text-small text-soft">{children}</p>
      </div>
    </div>
  );
}
