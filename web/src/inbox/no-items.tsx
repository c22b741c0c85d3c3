import { counted } from '../numbers.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { InboxTab } from './inbox-tabs.tsx';

interface NoItemsProps {
  readonly tab: InboxTab;
  /** Whether the list is narrowed, and whether by words. */
  readonly searched: boolean;
  readonly words?: boolean;
  /** How many wait for somebody else. */
  readonly others: number;
}

export function NoItems({ tab, searched, words, others }: NoItemsProps) {
  if (words) return <EmptyState icon="search" title="No item has these words in its title" />;
  if (searched) return <EmptyState icon="search" title="No item fits these filters" />;
  if (tab === 'closed') {
    return (
      <EmptyState icon="inbox" title="No decisions yet">
        Decisions stay here with who made them, when and why.
      </EmptyState>
    );
  }
  if (tab === 'aside') {
    return (
      <EmptyState icon="clock" title="Nothing is put aside">
        What you defer or hand to somebody else stands here until then.
      </EmptyState>
    );
  }
  if (tab === 'mine' && others > 0) {
    return (
      <EmptyState icon="inbox" title="Nothing is waiting for you">
        {counted(others, 'item waits', 'items wait')} for somebody else, under “All open”.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="inbox" title={tab === 'mine' ? 'Nothing is waiting for you' : 'Nothing is waiting'}>
      When a rule asks for a person, the request appears here at once and the agent waits.{' '}
      <TextLink to="/connect">Connect an agent</TextLink>, or let one with a key of its own (BATON_TOKEN) ask:
      <div className="mt-4 text-left">
        <CommandLine command='npx baton-ledger deposit --title "Look at this" --review human' />
      </div>
    </EmptyState>
  );
}
