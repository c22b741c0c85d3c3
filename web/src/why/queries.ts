import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type Explanation = Result<Operations['why.explain']>;
export type WhyNode = Explanation['nodes'][number];
export type WhyStep = WhyNode['steps'][number];

export interface Question {
  readonly id: string;
  readonly kind?: string | undefined;
}

const DEPTH = 4;

export const whyQuery = ({ id, kind }: Question) =>
  queryOptions({
    queryKey: ['why', id, kind],
    queryFn: ({ signal }) =>
      client.call('why.explain', { id, ...(kind !== undefined && { kind }), depth: DEPTH }, { signal }),
  });

export type Relied = Result<Operations['why.forward']>;

const LISTED = 100;

export const forwardQuery = ({ id, kind, project }: Question & { readonly project: string }) =>
  queryOptions({
    queryKey: ['why', 'forward', project, id, kind],
    queryFn: ({ signal }) =>
      client.call(
        'why.forward',
        { id, project, ...(kind !== undefined && { kind }), limit: LISTED },
        { signal },
      ),
  });

/** All packages that relied on something, as far as the server lists them. */
export async function packagesBehind({ project_id, id, kind }: Relied): Promise<readonly string[]> {
  const { things } = await client.call('why.forward', { id, kind, project: project_id, limit: 1_000 });
  return things.filter((thing) => thing.kind === 'package').map((thing) => thing.id);
}
