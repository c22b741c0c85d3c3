import type { Source, Thing } from '../../journal/provenance.ts';

/** What a thing says of itself when it is asked. */
export interface Found<Step> {
  readonly steps: readonly Step[];
  readonly sources: readonly Source[];
}

interface WhyNode<Step> extends Thing {
  readonly steps: readonly Step[];
  /** It rests on more than is shown: the walk ended here. */
  readonly cut: boolean;
}

/** `from` rests on `to`; both are places in the list of nodes. */
interface WhyLink {
  readonly from: number;
  readonly to: number;
  readonly as: string;
}

export interface WhyGraph<Step> {
  /** The first is what was asked about. */
  readonly nodes: readonly WhyNode<Step>[];
  readonly links: readonly WhyLink[];
}

export interface WalkLimits {
  readonly depth: number;
  readonly nodes: number;
}

/**
 * From a thing back to what it rests on, nearest first. Each thing stands there once, so that a circle ends where it
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
        // What somebody was handed is shown as it is: the history of everything they read would bury the answer.
        const to = await place({ kind, id }, depth, nodes[at]?.kind === 'reading');
        if (to === undefined || to === at || links.some((link) => link.from === at && link.to === to))
          continue;
        links.push({ from: at, to, as });
      }
    }
  }
  return { nodes, links };
}
