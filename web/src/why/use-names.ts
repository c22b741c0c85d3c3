import { useQueries } from '@tanstack/react-query';
import { maySee, useMe } from '../api/session.ts';
import { maybeText, record } from '../api/shape.ts';
import { packageQuery } from '../context/queries.ts';
import { itemQuery } from '../inbox/queries.ts';
import { titleWords } from '../ui/id-words.ts';
import type { Explanation, WhyNode } from './queries.ts';

/** More are told apart by their ids. */
const MOST_NAMED = 40;

/** What things are called, which the journal itself does not hold: titles of packages and of decisions, by node. */
export function useNames({ nodes, project_id: project }: Explanation): ReadonlyMap<WhyNode, string> {
  const me = useMe();
  const packages = maySee(me, 'packages:read') ? nodes.filter(({ kind }) => kind === 'package') : [];
  const items = maySee(me, 'inbox:read') ? nodes.filter(({ kind }) => ITEMS.has(kind)) : [];
  const asked = [...packages, ...items].slice(0, MOST_NAMED);
  const answers = useQueries({
    queries: asked.map((node) => ({
      ...(node.kind === 'package' ? packageQuery(project, node.id) : itemQuery(node.id)),
      retry: false,
    })),
  });
  const names = new Map<WhyNode, string>();
  for (const [at, node] of asked.entries()) {
    const found = record(answers[at]?.data);
    const title = maybeText(found.title) ?? maybeText(record(found.package).title);
    if (title !== undefined) names.set(node, titleWords(title));
  }
  for (const node of nodes) {
    if (NAMED_BY_ID.has(node.kind)) names.set(node, node.id.replace(/^.*#/, ''));
  }
  return names;
}

const ITEMS = new Set(['inbox_item', 'item', 'approval']);
/** Their ids are the names that somebody gave them. */
const NAMED_BY_ID = new Set(['policy']);
