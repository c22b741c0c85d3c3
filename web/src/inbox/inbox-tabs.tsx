import { count } from '../numbers.ts';
import { Choice } from '../ui/choice.tsx';
import { useWaitingCount } from './use-waiting-count.ts';

export type InboxTab = 'mine' | 'all' | 'aside' | 'closed';

export function InboxTabs({ chosen, onChange }: { chosen: InboxTab; onChange: (tab: InboxTab) => void }) {
  const waiting = useWaitingCount();
  const figure = (n: number | undefined) => (n ? ` (${count(n)})` : '');
  return (
    <Choice
      label="Which items"
      options={[
        ['mine', `For you${figure(waiting?.mine)}`],
        ['all', `All open${figure(waiting && waiting.mine + waiting.others)}`],
        ['aside', `Put aside${figure(waiting?.aside)}`],
        ['closed', 'Decided'],
      ]}
      chosen={chosen}
      onChange={onChange}
    />
  );
}
