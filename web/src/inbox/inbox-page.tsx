import { firstPage } from '../list-place.ts';
import { useParams } from '../search-params.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ClosedInbox } from './closed-inbox.tsx';
import { type InboxTab, InboxTabs } from './inbox-tabs.tsx';
import { OpenInbox } from './open-inbox.tsx';

const TABS: readonly InboxTab[] = ['mine', 'all', 'aside', 'closed'];

const NONE = {
  item: undefined,
  row: undefined,
  q: undefined,
  kind: undefined,
  risk: undefined,
  agent: undefined,
  project: undefined,
  state: undefined,
};

export function InboxPage() {
  const [params, change] = useParams();
  const tab = TABS.find((each) => each === params.show) ?? 'mine';
  return (
    <>
      <PageHeader
        title="Inbox"
        lead="What an agent may not do alone waits here. A decision is bound to exactly what you see."
      />
      <InboxTabs
        chosen={tab}
        onChange={(to) => change({ ...NONE, show: to === 'mine' ? undefined : to, ...firstPage() })}
      />
      <div className="mt-3">{tab === 'closed' ? <ClosedInbox /> : <OpenInbox key={tab} tab={tab} />}</div>
    </>
  );
}
