import type { Source, Thing } from '../../journal/provenance.ts';

/** What is known about one thing. */
export interface Found<Step> {
  readonly steps: readonly Step[];
  readonly sources: readonly Source[];
}

interface WhyNode<Step> extends Thing {
  readonly steps: readonly Step[];
  /** It has more causes than are shown: the walk ended here. */
  readonly cut: boolean;
}

/** `from` was caused by `to`; both are indexes into the list of nodes. */
interface WhyLink {
  readonly from: number;
  readonly to: number;
  readonly as: string;
}

export interface WhyGraph<Step> {
  /** The first is the subject of the question. */
  readonly nodes: readonly WhyNode<Step>[];
  readonly links: readonly WhyLink[];
}

export interface WalkLimits {
  readonly depth: number;
  readonly nodes: number;
}

/**
 * From a thing back to its causes, nearest first. Each thing appears once, so that a cycle ends where it
 * began; how far and how many is bounded, and whatever was left out is marked. A thing of which nothing is known is left
 * out, unless a rule is named by it.
 */
export async function walkBack<Step>(
  root: Thing,
  lookUp: (thing: Thing, depth: number) => Promise<Found<Step>>,
  limits: WalkLimits,
): Promise<WhyGraph<Step>> {
  const nodes: { kind: string; id: string; steps: readonly Step[]; cut: boolean }[] = [];
  const links: WhyLink[] = [];
  const places = new Map<string, number | undefined>();
  let waiting: { readonly at: number; readonly sources: readonly Source[] }[] = [];

  async function place(thing: Thing, depth: number, shallow: boolean): Promise<number | undefined> {
    const name = JSON.stringify([thing.kind, thing.id]);
    if (places.has(name)) return places.get(name);
    const { steps, sources } = await lookUp(thing, depth);
    if (depth > 0 && steps.length === 0 && sources.length === 0 && thing.kind !== 'policy') {
      places.set(name, undefined);
      return undefined;
    }
    const at = nodes.length;
    places.set(name, at);
    const ends = depth >= limits.depth && sources.length > 0;
    nodes.push({ kind: thing.kind, id: thing.id, steps, cut: ends });
    if (!ends && !shallow) waiting.push({ at, sources });
    return at;
  }

  await place(root, 0, false);
  for (let depth = 1; waiting.length > 0; depth += 1) {
    const level = waiting;
    waiting = [];
    for (const { at, sources } of level) {
      for (const { as, kind, id } of sources) {
        const known = places.has(JSON.stringify([kind, id]));
        if (!known && nodes.length >= limits.nodes) {
          (nodes[at] as { cut: boolean }).cut = true;
          continue;
        }
        // A reading is shown without its own causes: the history of everything read would bury the answer.
        const to = await place({ kind, id }, depth, nodes[at]?.kind === 'reading');
        if (to === undefined || to === at || links.some((link) => link.from === at && link.to === to))
          continue;
        links.push({ from: at, to, as });
      }
    }
  }
  return { nodes, links };
}
