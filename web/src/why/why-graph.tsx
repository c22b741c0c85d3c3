import { LazyGraph } from '../graph/lazy-graph.tsx';
import type { Explanation } from './queries.ts';
import { WhyNodeCard } from './why-node.tsx';

interface WhyGraphProps {
  readonly explanation: Explanation;
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

const WIDTH = 232;
const HEIGHT = 92;

/** The effect on top, its causes below. The way from the effect to what is chosen stands out. */
export function WhyGraph({ explanation: { nodes, links }, chosen, onChoose }: WhyGraphProps) {
  const way = wayTo(links, chosen);
  return (
    <LazyGraph
      label="What it rests on"
      direction="TB"
      nodes={nodes.map((node, at) => ({
        id: String(at),
        width: WIDTH,
        height: HEIGHT,
        content: (
          <WhyNodeCard node={node} subject={at === 0} chosen={at === chosen} onChoose={() => onChoose(at)} />
        ),
      }))}
      edges={forth(links).map(({ from, to, as }) => {
        const onWay = way.has(`${from} ${to}`);
        return {
          from: String(from),
          to: String(to),
          label: as,
          ...(onWay && { color: 'var(--accent)', width: 2.5 }),
        };
      })}
    />
  );
}

/** Of two things that rest on each other, the way is drawn from the one that was met first. */
function forth(links: Explanation['links']): Explanation['links'] {
  return links.filter(
    ({ from, to }) => from < to || !links.some((other) => other.from === to && other.to === from),
  );
}

/** The links of one shortest way from the subject. */
export function wayTo(links: Explanation['links'], chosen: number): ReadonlySet<string> {
  const before = new Map<number, number>([[0, -1]]);
  const waiting = [0];
  for (let at = waiting.shift(); at !== undefined && !before.has(chosen); at = waiting.shift()) {
    for (const { from, to } of links) {
      if (from !== at || before.has(to)) continue;
      before.set(to, from);
      waiting.push(to);
    }
  }
  const way = new Set<string>();
  for (let to = chosen; before.has(to) && to !== 0; ) {
    const from = before.get(to) ?? 0;
    way.add(`${from} ${to}`);
    to = from;
  }
  return way;
}
