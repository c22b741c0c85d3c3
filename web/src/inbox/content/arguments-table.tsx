import { useQuery } from '@tanstack/react-query';
import { maySee, useMe } from '../../api/session.ts';
import { manifestQuery } from '../../policies/queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { shorten } from '../../ui/id-words.ts';
import { JsonView } from '../../ui/json-view.tsx';
import type { InboxItem } from '../queries.ts';
import type { Approval } from './approval-query.ts';
import { ThresholdScale, thresholdOf } from './threshold-scale.tsx';

/** The call as it was sent, value by value; what the rule looks at stands out. */
export function ArgumentsTable({ item, approval }: { item: InboxItem; approval: Approval }) {
  const me = useMe();
  const { atlas, parameters, parameters_hash: hash } = approval;
  const manifest = useQuery({
    ...manifestQuery(item.project_id, atlas?.atlas_id ?? ''),
    enabled: atlas !== null && maySee(me, 'atlas:read'),
  });
  const policy = manifest.data?.policies?.find(({ policy_id }) => policy_id === approval.policy_id);
  const when = policy?.parameters?.when;
  const values = Object.entries(parameters ?? {});
  return (
    <section aria-label="What it would run" className="overflow-hidden rounded-control border border-line">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3.5 py-2">
        {approval.action_ids.map((id) => (
          <code key={id} className="font-medium font-mono text-small">
            {id}
          </code>
        ))}
        <span className="text-small text-soft">
          {parameters === null ? 'whatever its parameters' : 'exactly this is sent'}
        </span>
        {hash && (
          <span className="ml-auto inline-flex items-center gap-1 text-faint text-small">
            sha256 <code className="font-mono">{shorten(hash)}</code>
            <CopyButton text={hash} label="Copy the hash of the parameters" />
          </span>
        )}
      </header>
      {values.length > 0 && (
        <dl className="divide-y divide-line border-line border-t">
          {values.map(([name, value]) => {
            const threshold = typeof value === 'number' ? thresholdOf(when, name) : undefined;
            return (
              <div
                key={name}
                className="grid grid-cols-[minmax(5rem,8.5rem)_minmax(0,1fr)] gap-x-4 px-3.5 py-2.5"
              >
                <dt className="break-words font-mono text-faint text-small">{name}</dt>
                <dd className="min-w-0">
                  <Value value={value} strong={threshold !== undefined} />
                  {threshold && <ThresholdScale value={Number(value)} threshold={threshold} />}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}

function Value({ value, strong }: { value: unknown; strong: boolean }) {
  if (typeof value === 'object' && value !== null) return <JsonView value={value} label="The value" wrap />;
  const text = String(value);
  if (strong) return <span className="font-semibold text-title">{text}</span>;
  return <span className="whitespace-pre-wrap break-words">{text}</span>;
}
