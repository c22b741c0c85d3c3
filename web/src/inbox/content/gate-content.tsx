import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { maybe, shape, text, texts } from '../../api/shape.ts';
import { FactsList } from '../../ui/facts-list.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { Bound } from '../bound-digest.ts';
import type { InboxItem } from '../queries.ts';
import { BulletList, ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';

const readTurn = shape({ role: text, summary: text, files_changed: texts });
const readEvent = shape({ event_id: text, event_type: text, phase: text });

const ASKED_BY: Readonly<Record<string, string>> = {
  gate: 'gate_pending',
  needs_human: 'human_escalation_raised',
  escalation: 'escalation_raised',
};

/** The run as it stands, its last turn, and the event that asked. */
const askedRunQuery = ({ kind, subject }: InboxItem) =>
  queryOptions({
    queryKey: ['runs', 'asked', kind, subject.id],
    queryFn: async ({ signal }) => {
      const [id = '', run = ''] = subject.id.split('/');
      const [status, history, events] = await Promise.all([
        client.call('delivery.status', { id }, { signal }),
        client.call('delivery.history', { id, run, limit: 1 }, { signal }),
        client.call('delivery.events', { id, run }, { signal }),
      ]);
      const asked = events.rows.map(readEvent).findLast(({ event_type }) => event_type === ASKED_BY[kind]);
      const bound: Bound | undefined = asked && {
        repository: id,
        run,
        phase: asked.phase,
        event: asked.event_id,
      };
      return { status, last: maybe(readTurn)(history.rows.at(-1)), bound };
    },
  });

export function GateContent({ item }: { item: InboxItem }) {
  const query = useQuery(askedRunQuery(item));
  return (
    <QueryView query={query} rows={3}>
      {({ status, last, bound }) => (
        <>
          <FactsList
            facts={[
              ['Phase', status.phase],
              [
                'Gate',
                status.gate
                  ? `${status.gate.name}, ${status.gate.passes_now ? 'all its checks pass' : 'its checks do not pass yet'}`
                  : 'none',
              ],
            ]}
          />
          {status.gate && status.gate.reasons.length > 0 && (
            <ContentSection title="What fails">
              <BulletList items={status.gate.reasons} />
            </ContentSection>
          )}
          {last && (
            <ContentSection title={`Last turn, by ${last.role}`}>
              <QuotedText text={last.summary} />
              {last.files_changed.length > 0 && (
                <ul className="mt-2 flex flex-col gap-0.5 font-mono text-small text-soft">
                  {last.files_changed.map((path) => (
                    <li key={path} className="break-all">
                      {path}
                    </li>
                  ))}
                </ul>
              )}
            </ContentSection>
          )}
          <p>
            <Link
              to="/runs"
              search={{ project: status.project_id, repository: status.repository_id } as never}
              className="font-medium text-accent underline-offset-4 hover:underline"
            >
              Open the run
            </Link>
          </p>
          <DigestCard item={item} bound={bound} />
        </>
      )}
    </QueryView>
  );
}
