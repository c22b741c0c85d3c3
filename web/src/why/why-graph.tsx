import { LazyGraph } from '../graph/lazy-graph.tsx';
import type { Explanation, WhyNode } from './queries.ts';
import { forth, wayTo } from './way-to.ts';
import { WhyNodeCard } from './why-node.tsx';

interface WhyGraphProps {
  readonly explanation: Explanation;
  readonly chosen: number;
  readonly names: ReadonlyMap<WhyNode, string>;
  readonly onChoose: (at: number) => void;
}

const WIDTH = 208;
const HEIGHT = 92;

/** The effect on top, its causes below. The way from the effect to what is chosen stands out. */
export function WhyGraph({ explanation: { nodes, links }, names, chosen, onChoose }: WhyGraphProps) {
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
          <WhyNodeCard
            node={node}
            name={names.get(node)}
            chosen={at === chosen}
            onChoose={() => onChoose(at)}
          />
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
