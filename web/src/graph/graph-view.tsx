import type { ReactNode } from 'react';
import { type Edge, layeredLayout } from './layered-layout.ts';

interface GraphNode {
  readonly id: string;
  readonly content: ReactNode;
  readonly tone?: 'plain' | 'chosen' | 'bad' | 'missing';
  readonly onOpen?: (() => void) | undefined;
}

interface GraphEdge extends Edge {
  readonly label?: string;
  readonly bad?: boolean;
}

interface GraphViewProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const SIZE = { width: 168, height: 56, gapY: 20 };
/** Lines that say something need room for it. */
const GAP = { plain: 36, labelled: 72 };
const MARGIN = 8;

const looks = {
  plain: 'border-line bg-surface',
  chosen: 'border-accent bg-accent-soft',
  bad: 'border-bad bg-bad-soft',
  missing: 'border-line border-dashed bg-sunken',
} as const;

/** Boxes and arrows, from left to right. The boxes are ordinary elements over the drawn lines, so that they can be reached. */
export function GraphView({ label, nodes, edges }: GraphViewProps) {
  const { width, height, places } = layeredLayout(
    nodes.map(({ id }) => id),
    edges,
    { ...SIZE, gapX: edges.some(({ label: words }) => words) ? GAP.labelled : GAP.plain },
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="overflow-auto">
      <div className="relative mx-auto" style={{ width: width + 2 * MARGIN, height: height + 2 * MARGIN }}>
        <svg aria-hidden="true" width={width + 2 * MARGIN} height={height + 2 * MARGIN} className="absolute">
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0.500 7 4 0 7.500z" className="fill-line-strong" />
            </marker>
          </defs>
          {edges.map((edge) => {
            const from = places.get(edge.from);
            const to = places.get(edge.to);
            if (!from || !to || edge.from === edge.to) return null;
            return <Line key={`${edge.from} ${edge.to}`} from={from} to={to} edge={edge} />;
          })}
        </svg>
        <ul>
          {nodes.map(({ id, content, tone = 'plain', onOpen }) => {
            const place = places.get(id) ?? { x: 0, y: 0 };
            const shape = `flex h-full w-full flex-col justify-center overflow-hidden rounded-control border px-3 text-left ${looks[tone]}`;
            return (
              <li
                key={id}
                className="absolute"
                style={{
                  left: place.x + MARGIN,
                  top: place.y + MARGIN,
                  width: SIZE.width,
                  height: SIZE.height,
                }}
              >
                {onOpen ? (
                  <button
                    type="button"
                    onClick={onOpen}
                    className={`${shape} transition-colors hover:border-line-strong`}
                  >
                    {content}
                  </button>
                ) : (
                  <div className={shape}>{content}</div>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function Line({ from, to, edge }: { from: Place; to: Place; edge: GraphEdge }) {
  const backwards = to.x <= from.x;
  const x1 = from.x + SIZE.width + MARGIN;
  const y1 = from.y + SIZE.height / 2 + MARGIN;
  const x2 = (backwards ? to.x + SIZE.width : to.x) + MARGIN;
  const y2 = to.y + SIZE.height / 2 + MARGIN;
  const bend = backwards ? 40 : (x2 - x1) / 2;
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${backwards ? x2 + bend : x2 - bend} ${y2} ${x2} ${y2}`;
  return (
    <>
      <path
        d={path}
        fill="none"
        strokeWidth={1.5}
        markerEnd="url(#arrow)"
        className={edge.bad ? 'stroke-bad' : 'stroke-line-strong'}
      />
      {edge.label && (
        <text
          x={(x1 + x2) / 2}
          y={(y1 + y2) / 2 - 5}
          textAnchor="middle"
          paintOrder="stroke"
          strokeWidth={4}
          className={`stroke-surface text-tiny ${edge.bad ? 'fill-bad' : 'fill-faint'}`}
        >
          {edge.label}
        </text>
      )}
    </>
  );
}
