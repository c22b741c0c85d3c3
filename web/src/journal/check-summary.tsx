import { counted } from '../numbers.ts';
import { Icon } from '../ui/icon.tsx';
import type { CheckedEntry } from './read-page.ts';

/** What this browser found when it recomputed what the server sent. */
export function CheckSummary({ entries }: { entries: readonly CheckedEntry[] }) {
  const wrong = entries.filter(({ check }) => check.hash === 'mismatch' || check.link === 'mismatch');
  const links = entries.filter(({ check }) => check.link === 'match').length;
  const pruned = entries.filter(({ check }) => check.hash === 'pruned').length;
  if (entries.length === 0) return null;
  if (wrong.length > 0) {
    return (
      <p role="alert" className="flex items-start gap-2 rounded-control bg-bad-soft px-3 py-2 text-bad">
        <Icon name="warning" className="mt-0.5" />
        <span>
          <strong>{counted(wrong.length, 'event')} changed after being written.</strong> The first is number{' '}
          {wrong.at(-1)?.entry.leaf}. Keep the files as they are and run{' '}
          <code className="font-mono text-small">npx baton-ledger journal verify</code>.
        </span>
      </p>
    );
  }
  return (
    <p className="flex items-start gap-2 text-small text-soft">
      <Icon name="verify" size={16} className="mt-0.5 text-good" />
      <span>
        <span className="font-medium text-good">Checked in this browser:</span>{' '}
        {counted(entries.length - pruned, 'hash', 'hashes')} recomputed, {counted(links, 'link')} followed
        {pruned > 0 && `, ${counted(pruned, 'event')} without content`}.
      </span>
    </p>
  );
}
