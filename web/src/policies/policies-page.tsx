import { useParams } from '../search-params.ts';
import { ChoiceTabs } from '../ui/choice-tabs.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { AtlasesView } from './atlases-view.tsx';
import { DecisionsView } from './decisions-view.tsx';
import { TryView } from './try-view.tsx';

const views = { rules: AtlasesView, try: TryView, decisions: DecisionsView } as const;
type View = keyof typeof views;

const isView = (text: string | undefined): text is View => text !== undefined && text in views;

export function PoliciesPage() {
  const [params, change] = useParams();
  const view = isView(params.view) ? params.view : 'rules';
  const Chosen = views[view];
  return (
    <>
      <PageHeader
        title="Policies"
        lead="What an agent may do, which rule says so, and what a person decides. Rules come in Atlases, and nothing that they do not allow happens."
      />
      <ChoiceTabs
        label="What to look at"
        options={[
          ['rules', 'Rules'],
          ['try', 'Try a decision'],
          ['decisions', 'Recent decisions'],
        ]}
        chosen={view}
        onChange={(next) => change({ view: next === 'rules' ? undefined : next })}
      />
      <div className="mt-4">
        <Chosen />
      </div>
    </>
  );
}
