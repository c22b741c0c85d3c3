import type { IconName } from '../ui/icon.tsx';
import { shortId } from '../ui/id-words.ts';
import type { Explanation, WhyNode } from './queries.ts';

const icons: Readonly<Record<string, IconName>> = {
  package: 'context',
  fact: 'clock',
  memory: 'memory',
  memory_proposal: 'memory',
  policy: 'policy',
  atlas: 'policy',
  resolution: 'policy',
  request: 'terminal',
  execution: 'run',
  inbox_item: 'inbox',
  item: 'inbox',
  approval: 'check',
  session: 'agent',
  turn: 'run',
  task: 'trace',
  span: 'trace',
  event: 'journal',
  reading: 'eye',
};

export const kindIcon = (kind: string): IconName => icons[kind] ?? 'journal';

const kinds: Readonly<Record<string, string>> = {
  inbox_item: 'Decision',
  item: 'Decision',
  request: 'Call',
  reading: 'Hand-over',
  policy: 'Rule',
  atlas: 'Atlas',
};

export function kindName(kind: string): string {
  if (kinds[kind] !== undefined) return kinds[kind];
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What became of it, in the journal's words; its id where the journal has none. */
export function nodeTitle({ id, steps }: WhyNode): string {
  const last = steps.at(-1);
  if (!last) return shortId(id);
  return beginning(last.words);
}

export type ProofState = 'provable' | 'pruned' | 'none';

/** Whether a proof of it can be had; whether it holds says only a check. */
export function proofState({ steps }: WhyNode): ProofState {
  if (steps.length === 0) return 'none';
  return steps.every(({ pruned }) => pruned) ? 'pruned' : 'provable';
}

/** The answer as a sentence: what happened, who did it and what it rests on most directly. */
export function answerWords({ nodes, links }: Explanation): string {
  const [subject] = nodes;
  const last = subject?.steps.at(-1);
  if (!subject || !last) return 'The journal says nothing of it yet.';
  const causes = links.filter(({ from }) => from === 0).flatMap(({ to }) => nodes[to] ?? []);
  const counted = new Map<string, number>();
  for (const { kind } of causes) counted.set(kind, (counted.get(kind) ?? 0) + 1);
  const rests = [...counted].map(([kind, n]) => {
    const name = kindName(kind).toLowerCase();
    return n === 1 ? `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}` : `${n} ${plural(name)}`;
  });
  const what = `${beginning(last.words)}${last.by === '' ? '' : `, by ${last.by}`}.`;
  return rests.length === 0 ? `${what} Nothing came before this.` : `${what} It rests on ${inWords(rests)}.`;
}

/** With a capital, unless it begins with the name of an action, which has none. */
function beginning(words: string): string {
  return /^\S+\.\S/.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1);
}

const plural = (name: string) => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`);

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
