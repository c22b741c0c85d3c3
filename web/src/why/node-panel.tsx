import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { WhyNode } from './queries.ts';
import { kindName, nodeTitle } from './why-words.ts';

interface NodePanelProps {
  readonly node: WhyNode;
  readonly name: string | undefined;
  readonly at: number;
  readonly of: number;
  readonly onAsk: () => void;
}

/** What the journal says of the chosen thing, event by event, and where it can be read in full. */
export function NodePanel({ node, name, at, of, onAsk }: NodePanelProps) {
  const place = placeOf(node);
  return (
    <Card
      title={kindName(node.kind)}
      aside={
        <span className="tabular text-faint text-small">
          {at + 1} of {of}
        </span>
      }
    >
      <p className="break-words font-semibold text-lead leading-snug">{name ?? nodeTitle(node)}</p>
      <div className="mt-3">
        <FactsList facts={[['Id', <ShortId key="id" value={node.id} label="the id" />]]} />
      </div>
      {node.steps.length > 0 && (
        <ol aria-label="What happened" className="mt-3 divide-y divide-line border-line border-t">
          {node.steps.map((step) => (
            <li key={step.leaf}>
              <Link
                to="/journal"
                search={{ event: step.leaf } as never}
                className="flex items-baseline gap-3 py-1.5 text-small hover:text-accent"
              >
                <span className="tabular w-14 shrink-0 text-faint">{step.leaf}</span>
                <span className="min-w-0 flex-1 break-words">
                  {step.words}
                  {step.by && <span className="text-faint"> by {step.by}</span>}
                </span>
                <span className="shrink-0 text-faint">
                  <TimeAgo at={step.at} />
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
      <p className="mt-3 flex flex-wrap items-center gap-3">
        {at > 0 && (
          <Button icon="why" onClick={onAsk}>
            Why this?
          </Button>
        )}
        {place && (
          <TextLink to={place.to} search={place.search}>
            Open it
          </TextLink>
        )}
      </p>
    </Card>
  );
}

/** The page on which it is read in full. */
function placeOf({ kind, id }: WhyNode): { to: string; search: Record<string, string> } | undefined {
  switch (kind) {
    case 'package':
      return { to: '/context', search: { package: id } };
    case 'inbox_item':
    case 'approval':
      return { to: '/inbox', search: { item: id } };
    case 'memory':
      return { to: '/memory', search: { memory: id } };
    case 'policy':
    case 'atlas':
      return { to: '/policies', search: {} };
    case 'turn':
      return { to: '/runs', search: {} };
    default:
      return undefined;
  }
}
