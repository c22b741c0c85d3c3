import { ChoiceTabs } from '../ui/choice-tabs.tsx';
import { useWaitingCount } from './use-waiting-count.ts';

export function InboxTabs({ closed, onChange }: { closed: boolean; onChange: (closed: boolean) => void }) {
  const waiting = useWaitingCount();
  const count = waiting && waiting.count > 0 ? ` (${waiting.words})` : '';
  return (
    <ChoiceTabs
      label="Which items"
      options={[
        ['open', `Waiting${count}`],
        ['closed', 'Decided'],
      ]}
      chosen={closed ? 'closed' : 'open'}
      onChange={(show) => onChange(show === 'closed')}
    />
  );
}
