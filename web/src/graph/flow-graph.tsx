import {
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  type EdgeProps,
  type Edge as FlowEdge,
  type Node as FlowNode,
  getSmoothStepPath,
  Handle,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import type { ReactNode } from 'react';
import '@xyflow/react/dist/base.css';
import './flow-graph.css';
import { layoutOf } from './layout.ts';

export interface GraphNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly content: ReactNode;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string | undefined;
  /** As CSS writes it. */
  readonly color?: string | undefined;
  readonly width?: number | undefined;
  readonly dashed?: boolean | undefined;
  readonly onOpen?: (() => void) | undefined;
}

export interface FlowGraphProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly direction: 'LR' | 'TB';
}

type CardNode = FlowNode<{ readonly content: ReactNode; readonly direction: 'LR' | 'TB' }, 'card'>;
type WayEdge = FlowEdge<Pick<GraphEdge, 'label' | 'color' | 'width' | 'dashed' | 'onOpen'>, 'way'>;

const SHORTEST = 220;
const TALLEST = 620;

/** A graph to walk: it fits its place at first, and can be dragged and zoomed. What can be opened is a button. */
export function FlowGraph({ label, nodes, edges, direction }: FlowGraphProps) {
  const layout = layoutOf(nodes, edges, direction);
  const drawn: CardNode[] = nodes.map(({ id, width, height, content }) => ({
    id,
    type: 'card',
    position: layout.places.get(id) ?? { x: 0, y: 0 },
    width,
    height,
    data: { content, direction },
  }));
  const joined: WayEdge[] = edges.map(({ from, to, ...data }) => ({
    id: `${from} ${to}`,
    type: 'way',
    source: from,
    target: to,
    data,
  }));
  const height = Math.min(TALLEST, Math.max(SHORTEST, layout.height + 48));
  return (
    <section aria-label={label} style={{ height }} className="min-w-0">
      <ReactFlow
        // Another graph is fitted anew.
        key={nodes.map(({ id }) => id).join(' ')}
        nodes={drawn}
        edges={joined}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
        minZoom={0.15}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Controls showInteractive={false} position="top-right" aria-label="Zoom" />
      </ReactFlow>
    </section>
  );
}

function Card({ data }: NodeProps<CardNode>) {
  const across = data.direction === 'LR';
  return (
    <>
      <Handle type="target" position={across ? Position.Left : Position.Top} isConnectable={false} />
      {/* The library takes the pointer from nodes that can be neither moved nor selected. */}
      <div className="nodrag nopan pointer-events-auto size-full">{data.content}</div>
      <Handle type="source" position={across ? Position.Right : Position.Bottom} isConnectable={false} />
    </>
  );
}

function Way({
  id,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  data,
}: EdgeProps<WayEdge>) {
  const [path, labelX, labelY] = getSmoothStepPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
    borderRadius: 10,
  });
  const color = data?.color ?? 'var(--line-strong)';
  const place = { transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)` };
  const pill =
    'tabular nodrag nopan pointer-events-auto absolute whitespace-nowrap rounded-full border border-line bg-surface px-2 text-tiny';
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        style={{
          stroke: color,
          strokeWidth: data?.width ?? 1.5,
          ...(data?.dashed && { strokeDasharray: '4 3' }),
        }}
      />
      {data?.label && (
        <EdgeLabelRenderer>
          {data.onOpen ? (
            <button
              type="button"
              onClick={data.onOpen}
              style={{ ...place, color }}
              className={`${pill} hover:bg-hover`}
            >
              {data.label}
            </button>
          ) : (
            <span style={place} className={`${pill} text-soft`}>
              {data.label}
            </span>
          )}
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const nodeTypes = { card: Card };
const edgeTypes = { way: Way };
