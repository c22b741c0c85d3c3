import { Badge } from '../ui/badge.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { FullHash } from '../ui/hash.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { EventProof } from './event-proof.tsx';
import type { CheckedEntry } from './read-page.ts';

export function EventDetails({ checked }: { checked: CheckedEntry }) {
  const { entry, check } = checked;
  const { event } = entry;
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap gap-2">
        <HashBadge verdict={check.hash} />
        {check.link === 'match' && (
          <Badge tone="good" icon="check">
            Linked to the event before
          </Badge>
        )}
        {check.link === 'mismatch' && (
          <Badge tone="bad" icon="warning">
            Link broken
          </Badge>
        )}
      </div>
      <FactsList
        facts={[
          [
            'Type',
            <code key="type" className="font-mono text-small">
              {event.event_type}
            </code>,
          ],
          [
            'Written',
            <span key="at">
              <TimeAgo at={event.timestamp} />{' '}
              <span className="font-mono text-faint text-small">{event.timestamp}</span>
            </span>,
          ],
          ['Project', `${entry.project_id}, event ${entry.project_seq}`],
          [
            'Session',
            <code key="session" className="break-all font-mono text-small">
              {entry.session_id}
            </code>,
          ],
          ['Chain', `${entry.chain === 'trace' ? 'Trace' : 'Ledger'}, place ${text(event.sequence)}`],
          ['Hash', <FullHash key="hash" value={text(event.event_hash)} label="the hash" />],
          [
            'Hash before',
            <FullHash key="before" value={text(event.previous_event_hash)} label="the hash before" />,
          ],
        ]}
      />
      <section>
        <h3 className="mb-2 font-semibold">Content</h3>
        {event.payload === null ? (
          <p className="text-soft">
            Retention dropped the content. Its hash still stands in the chain and the tree.
          </p>
        ) : (
          <JsonView value={event.payload} label="Content of the event" />
        )}
      </section>
      <EventProof eventId={event.event_id} />
    </div>
  );
}

function HashBadge({ verdict }: { verdict: CheckedEntry['check']['hash'] }) {
  if (verdict === 'pruned') return <Badge icon="clock">Content dropped by retention</Badge>;
  return verdict === 'match' ? (
    <Badge tone="good" icon="check">
      Hash recomputed in this browser
    </Badge>
  ) : (
    <Badge tone="bad" icon="warning">
      The hash does not match the content
    </Badge>
  );
}
