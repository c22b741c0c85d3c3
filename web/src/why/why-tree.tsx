import { Icon } from '../ui/icon.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { Explanation, WhyNode } from './queries.ts';
import { kindIcon, kindName, nodeTitle } from './why-words.ts';

interface WhyTreeProps {
  readonly explanation: Explanation;
  readonly chosen: number;
  readonly names: ReadonlyMap<WhyNode, string>;
  readonly onChoose: (at: number) => void;
}

interface Row {
  readonly at: number;
  readonly depth: number;
  readonly as: string;
}

/** The same as the graph, line by line: what fits a phone, and what a screen reader reads first. */
export function WhyTree({ explanation, names, chosen, onChoose }: WhyTreeProps) {
  return (
    <ul aria-label="What it rests on, as a tree" className="py-2">
      {rowsOf(explanation).map(({ at, depth, as }) => {
        const node = explanation.nodes[at];
        if (!node) return null;
        const last = node.steps.at(-1);
        return (
          <li key={at} style={{ paddingLeft: `${Math.min(depth, 6) * 1.1}rem` }}>
            <button
              type="button"
              aria-pressed={at === chosen}
              onClick={() => onChoose(at)}
              className="flex w-full items-start gap-2.5 rounded-control px-4 py-1.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:bg-accent-soft"
            >
              <Icon name={kindIcon(node.kind)} size={15} className="mt-1 text-faint" />
              <span className="min-w-0 leading-snug">
                <span className="block text-faint text-tiny">
                  {placeWords(as, kindName(node.kind).toLowerCase())}
                </span>
                <span className="block break-words font-medium">{names.get(node) ?? nodeTitle(node)}</span>
                {last && (
                  <span className="block text-faint text-small">
                    {names.has(node) && `${last.words}, `}
                    {last.by && `${last.by}, `}
                    <TimeAgo at={last.at} />
                  </span>
                )}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** What it is to the one above, unless that is what it is. */
const placeWords = (as: string, kind: string) => (as === '' || as === kind ? kind : `${as}: ${kind}`);

/** Each thing once, where it is met first. */
function rowsOf({ links }: Explanation): Row[] {
  const rows: Row[] = [];
  const met = new Set<number>();
  function place(at: number, depth: number, as: string): void {
    if (met.has(at)) return;
    met.add(at);
    rows.push({ at, depth, as });
    for (const link of links) if (link.from === at) place(link.to, depth + 1, link.as);
  }
  place(0, 0, '');
  return rows;
}
