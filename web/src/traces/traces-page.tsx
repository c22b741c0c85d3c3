import { useQuery } from '@tanstack/react-query';
import { ProjectPicker } from '../projects/project-picker.tsx';
import { useProject } from '../projects/use-project.ts';
import { useParams } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { traceSessionsQuery } from './queries.ts';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';

export function TracesPage() {
  const [params, change] = useParams();
  const [project, choose] = useProject();
  const query = useQuery(traceSessionsQuery(project));
  return (
    <>
      <PageHeader
        title="Traces"
        lead="What agents said to each other and how long it took: every message through the relay, and every span that is sent here by OpenTelemetry."
        actions={<ProjectPicker project={project} onChange={choose} />}
      />
      <QueryView query={query} rows={6}>
        {(sessions) => {
          const chosen = sessions.find(({ session_id }) => session_id === params.session) ?? sessions[0];
          return chosen === undefined ? (
            <NoTrace />
          ) : (
            <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
              <SessionList
                sessions={sessions}
                chosen={chosen.session_id}
                onSelect={(session) => change({ session, span: undefined })}
              />
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
