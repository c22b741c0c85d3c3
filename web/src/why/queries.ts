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
