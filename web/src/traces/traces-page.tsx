import { useQuery } from '@tanstack/react-query';
import { firstPage, useListPlace } from '../list-place.ts';
import { counted } from '../numbers.ts';
import { useProject } from '../projects/use-project.ts';
import { useParams } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { traceSessionsQuery } from './queries.ts';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';

export function TracesPage() {
  const [params, change] = useParams();
  const [project] = useProject();
  const place = useListPlace('sessions');
  const words = params.q;
  const query = useQuery(traceSessionsQuery(project, { words, cursor: place.cursor }));
  const select = (session: string) =>
    change({
      session,
      span: undefined,
      trace: undefined,
      span_words: undefined,
      left: undefined,
      right: undefined,
      of: undefined,
      ...firstPage('spans'),
    });
  return (
    <>
      <PageHeader
        title="Traces"
        lead="What agents said to each other and how long it took: every message through the relay, and every span that is sent here by OpenTelemetry."
      />
      <search className="mb-3 block max-w-md">
        <SearchBox
          label="Find a session"
          hideLabel
          placeholder="Find a session by part of its name"
          words={words ?? ''}
          onSearch={(q) =>
            change({ q: q || undefined, session: undefined, ...firstPage('sessions') }, { replace: true })
          }
        />
      </search>
      <QueryView query={query} rows={6}>
        {({ items, total, next }) => {
          const chosen = items.find(({ session_id }) => session_id === params.session) ?? items[0];
          return chosen === undefined ? (
            words ? (
              <Card>
                <EmptyState icon="search" title="No session has this in its id" />
              </Card>
            ) : (
              <NoTrace />
            )
          ) : (
            <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
              <SessionList sessions={items} chosen={chosen.session_id} onSelect={select}>
                <p className="border-line border-t px-4 py-2 text-faint text-small">
                  {counted(total, 'session')}
                </p>
                <Pager
                  label="sessions"
                  at={place.at}
                  shown={items.length}
                  total={total}
                  first="Newest"
                  next="Older"
                  busy={query.isPlaceholderData}
                  onFirst={place.first}
                  onNext={next === null ? undefined : () => place.next(next, items.length)}
                />
              </SessionList>
              <SessionView key={chosen.session_id} project={project} session={chosen} />
            </div>
          );
        }}
      </QueryView>
    </>
  );
}

function NoTrace() {
  return (
    <Card>
      <EmptyState icon="trace" title="No agent has spoken yet">
        Let your agents reach each other through the relay, or send their spans to{' '}
        <code className="font-mono text-small">{location.origin}/v1/traces</code>. Name an agent, and it can
        be spoken to:
        <div className="mt-4 text-left">
          <CommandLine command="npx baton-ledger relay register my-agent http://127.0.0.1:9000" />
        </div>
      </EmptyState>
    </Card>
  );
}
