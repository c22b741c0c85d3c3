import { firstPage } from '../list-place.ts';
import { useProject } from '../projects/use-project.ts';
import { useView } from '../search-params.ts';
import { Choice } from '../ui/choice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { AtlasesView } from './atlases-view.tsx';
import { DecisionsView } from './decisions-view.tsx';
import { GrantsView } from './grants-view.tsx';
import { TryView } from './try-view.tsx';
import { WorkbenchView } from './workbench-view.tsx';

const views = {
  rules: AtlasesView,
  workbench: WorkbenchView,
  try: TryView,
  decisions: DecisionsView,
  grants: GrantsView,
} as const;
export function PoliciesPage() {
  const [view, show] = useView(['rules', 'workbench', 'try', 'decisions', 'grants']);
  const [project] = useProject();
  const Chosen = views[view];
  return (
    <>
      <PageHeader
        title="Policies"
        lead="What an agent may do, which rule says so, and what a person decides. Rules are defined in Atlases; anything they do not allow is refused."
      />
      <Choice
        label="Views"
        options={[
          ['rules', 'Rules'],
          ['workbench', 'Workbench'],
          ['try', 'Try a decision'],
          ['decisions', 'Recent decisions'],
          ['grants', 'Approvals'],
        ]}
        chosen={view}
        onChange={(next) => show(next, firstPage())}
      />
      <div className="mt-4">
        <Chosen project={project} />
      </div>
    </>
  );
}
