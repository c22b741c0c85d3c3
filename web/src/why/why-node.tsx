import { Icon } from '../ui/icon.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { WhyNode } from './queries.ts';
import { kindIcon, kindName, nodeTitle, proofState } from './why-words.ts';

interface WhyNodeCardProps {
  readonly node: WhyNode;
  /** What it is called, where that is known. */
  readonly name: string | undefined;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** One thing of an explanation: what kind, what became of it, who and when, and whether it can be proved. */
export function WhyNodeCard({ node, name, chosen, onChoose }: WhyNodeCardProps) {
  const last = node.steps.at(-1);
  const proof = proofState(node);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={`flex size-full min-w-0 flex-col rounded-lg border bg-surface px-3 py-2 text-left shadow-card transition-colors hover:bg-hover focus-visible:-outline-offset-2 ${
        chosen
          ? 'border-accent ring-1 ring-accent'
          : proof === 'pruned'
            ? 'border-warn border-dashed'
            : 'border-line-strong'
      }`}
    >
      <span className="flex items-center gap-1.5 text-soft text-tiny">
        <Icon name={kindIcon(node.kind)} size={13} />
        <span className="font-medium">{kindName(node.kind)}</span>
        {node.cut && <span className="ml-auto text-faint">goes on</span>}
      </span>
      <span className="mt-0.5 line-clamp-2 min-w-0 break-words font-semibold text-small leading-snug">
        {name ?? nodeTitle(node)}
      </span>
      <span className="mt-auto flex w-full items-center gap-2 pt-1 text-faint text-tiny">
        {last && (
          <span className="min-w-0 truncate">
            {last.by && `${last.by}, `}
            <TimeAgo at={last.at} />
          </span>
        )}
        <span
          className={`ml-auto inline-flex shrink-0 items-center gap-1 ${proof === 'provable' ? 'text-good' : proof === 'pruned' ? 'text-warn' : ''}`}
        >
          <Icon name={proof === 'provable' ? 'verify' : 'lock'} size={12} />
          {proof === 'none' ? 'not in the journal' : `leaf ${last?.leaf}`}
        </span>
      </span>
    </button>
  );
}
