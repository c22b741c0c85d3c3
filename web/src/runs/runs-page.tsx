import { useQuery } from '@tanstack/react-query';
import { firstPage } from '../list-place.ts';
import { useProject } from '../projects/use-project.ts';
import { useParams } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { repositoriesQuery } from './queries.ts';
import { RepositoryTabs } from './repository-tabs.tsx';
import { RunView } from './run-view.tsx';

export function RunsPage() {
  const [params, change] = useParams();
  const [project] = useProject();
  const query = useQuery(repositoriesQuery(project));
  return (
    <>
      <PageHeader
        title="Runs"
        lead="Who works next, under which gate. Each repository’s own files are the source of truth; this page follows them."
      />
      <QueryView query={query} rows={5}>
        {(repositories) => {
          const chosen = repositories.find(({ id }) => id === params.repository) ?? repositories[0];
          return chosen === undefined ? (
            <NoRepository />
          ) : (
            <>
              <RepositoryTabs
                repositories={repositories}
                chosen={chosen.id}
                onChange={(repository) => change({ repository, view: undefined, ...firstPage('rows') })}
              />
              <RunView key={chosen.id} repository={chosen} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

function NoRepository() {
  return (
    <Card>
      <EmptyState icon="run" title="No repository is attached">
        A run goes through phases, and roles take turns in it under gates. Watch one first, without keys or
        set-up:
        <div className="mt-4 flex flex-col gap-2 text-left">
          <CommandLine command="npx baton-ledger demo run" />
        </div>
        <p className="mt-4">Then attach a repository of your own:</p>
        <div className="mt-2 text-left">
          <CommandLine command="npx baton-ledger run attach" />
        </div>
      </EmptyState>
    </Card>
  );
}
