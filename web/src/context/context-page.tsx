import { firstPage } from '../list-place.ts';
import { useProject } from '../projects/use-project.ts';
import { useParams, useView } from '../search-params.ts';
import { Choice } from '../ui/choice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { FactsView } from './facts-view.tsx';
import { GlanceView } from './glance-view.tsx';
import { PackageDrawer } from './package-drawer.tsx';
import { PackagesView } from './packages-view.tsx';
import { SessionsView } from './sessions-view.tsx';

const views = {
  glance: GlanceView,
  packages: PackagesView,
  facts: FactsView,
  sessions: SessionsView,
} as const;
export function ContextPage() {
  const [params, change] = useParams();
  const [project] = useProject();
  const [view, show] = useView(['glance', 'packages', 'facts', 'sessions']);
  const Chosen = views[view];
  const open = (id: string | undefined) => change({ package: id });
  return (
    <>
      <PageHeader
        title="Context"
        lead="What was done and decided, what is still open, and what is true now: what an agent is told before it starts."
      />
      <Choice
        label="Views"
        options={[
          ['glance', 'At a glance'],
          ['packages', 'Packages'],
          ['facts', 'Facts'],
          ['sessions', 'Sessions'],
        ]}
        chosen={view}
        onChange={(next) =>
          show(next, { q: undefined, as_of: undefined, subject: undefined, at: undefined, ...firstPage() })
        }
      />
      <div className="mt-4">
        <Chosen key={project} project={project} onOpen={open} />
      </div>
      {params.package !== undefined && (
        <PackageDrawer project={project} id={params.package} onOpen={open} onClose={() => open(undefined)} />
      )}
    </>
  );
}
