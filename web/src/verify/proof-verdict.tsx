import type { ProofReport } from '../api/verify.ts';
import { count } from '../numbers.ts';
import { Icon } from '../ui/icon.tsx';

/** What a proof shows, or where it fails. */
export function ProofVerdict({ report }: { report: ProofReport }) {
  if (!report.valid) {
    return (
      <p className="flex items-start gap-2 rounded-control bg-bad-soft px-3 py-2 text-bad">
        <Icon name="warning" className="mt-0.5" />
        <span>
          <strong>The proof does not hold.</strong> {report.error?.message}{' '}
          <code className="font-mono text-small">{report.error?.code}</code>
        </span>
      </p>
    );
  }
  return (
    <div className="flex items-start gap-2 rounded-control bg-good-soft px-3 py-2 text-good">
      <Icon name="check" className="mt-0.5" />
      <span>
        <strong>The proof holds.</strong> The event hashes to its hash, stands at place{' '}
        {count(report.leaf_index ?? 0)} of a tree of {count(report.tree_size ?? 0)}, and{' '}
        <span className="break-all font-mono text-small">{report.origin}</span> signed that tree
        {report.trusted ? ' with the key that you trust.' : ' with the key in the file.'}
      </span>
    </div>
  );
}
