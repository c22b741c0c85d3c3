import type { ChainReport } from '../api/verify.ts';
import { counted } from '../numbers.ts';
import { Icon } from '../ui/icon.tsx';
import { shorten } from '../ui/id-words.ts';

const SHOWN = 5;

/** What a chain shows, or where it breaks. */
export function ChainVerdict({ report }: { report: ChainReport }) {
  if (report.event_count === 0) {
    return (
      <p className="flex items-start gap-2 rounded-control bg-warn-soft px-3 py-2 text-warn">
        <Icon name="info" className="mt-0.5" />
        The file holds no event.
      </p>
    );
  }
  if (!report.valid) {
    const rest = report.errors.length - SHOWN;
    return (
      <div className="flex items-start gap-2 rounded-control bg-bad-soft px-3 py-2 text-bad">
        <Icon name="warning" className="mt-0.5" />
        <div className="min-w-0">
          <p className="font-semibold">
            The chain does not hold: {counted(report.errors.length, 'fault')} in{' '}
            {counted(report.event_count, 'event')}.
          </p>
          <ul className="mt-1 list-disc pl-5">
            {report.errors.slice(0, SHOWN).map((fault) => (
              <li key={`${fault.index} ${fault.error}`} className="break-words">
                Line {fault.index + 1}: {fault.details}{' '}
                <code className="font-mono text-small">{fault.error}</code>
              </li>
            ))}
          </ul>
          {rest > 0 && <p className="mt-1">And {counted(rest, 'further fault')}.</p>}
        </div>
      </div>
    );
  }
  return (
    <p className="flex items-start gap-2 rounded-control bg-good-soft px-3 py-2 text-good">
      <Icon name="check" className="mt-0.5" />
      <span>
        <strong>The chain holds.</strong> {counted(report.event_count, 'event')}, from the first to{' '}
        <code className="font-mono text-small">{shorten(report.head)}</code>
        {report.ended ? ', and it was closed.' : '. It was still open when it was exported.'}
        {report.pruned > 0 && ` ${counted(report.pruned, 'event')} without content.`}
      </span>
    </p>
  );
}
