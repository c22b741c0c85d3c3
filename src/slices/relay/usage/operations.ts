import { z } from 'zod';
import { defineOperations, outside, read, write } from '../../../spine/operations/define.ts';
import { ownProject as project } from '../../../spine/operations/own-project.ts';
import { WORK_KINDS } from '../spans/conventions.ts';
import { instant, priceSchema, STATS_BY, STATS_SORT, statsSchema, storedPriceSchema } from './schema.ts';

const name = z.string().min(1).max(200).optional();

export const usageOperations = defineOperations({
  'relay.stats': {
    ...outside('ours', 'trace:read'),
    summary:
      'Count spans, errors, latency, tokens and cost by agent, peer, model or tool, over time if asked for.',
    input: {
      query: z.object({
        project,
        by: z.enum(STATS_BY).describe('`peer` counts what was forwarded to agents; `edge` who called whom.'),
        interval: z.enum(['hour', 'day']).optional().describe('Adds a series to each item.'),
        from: instant.optional().describe('Seven days ago if absent.'),
        to: instant.optional().describe('Now if absent.'),
        kind: z.enum(WORK_KINDS).optional(),
        agent: name,
        peer: name,
        model: name,
        tool: name,
        sort: z.enum(STATS_SORT).optional(),
        limit: z.int().min(1).max(1000).optional(),
      }),
    },
    output: statsSchema,
    errors: ['project_not_found', 'stats_range_too_long'],
    http: { method: 'GET', path: '/v1/relay/stats' },
    mcp: { tool: 'traces', action: 'stats' },
    cli: { command: 'relay stats', positionals: ['by'] },
  },
  'relay.prices': {
    ...read('ours', 'trace:read'),
    summary: 'List what models cost in this project.',
    input: { query: z.object({ project }) },
    output: z.object({ items: z.array(storedPriceSchema) }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/relay/prices' },
    mcp: { tool: 'traces', action: 'prices' },
    cli: { command: 'relay prices' },
  },
  'relay.price.set': {
    ...write('ours', 'relay:manage'),
    summary: 'Set what a model costs from an instant on.',
    input: { query: z.object({ project }), body: priceSchema },
    output: storedPriceSchema,
    errors: ['project_not_found', 'too_many_prices'],
    http: { method: 'PUT', path: '/v1/relay/prices' },
    mcp: { tool: 'traces', action: 'set_price' },
    cli: { command: 'relay price', positionals: ['model'] },
  },
  'relay.price.remove': {
    ...write('ours', 'relay:manage'),
    summary: 'Remove the prices of a model, or the one from an instant on.',
    input: { query: z.object({ project, model: z.string().min(1).max(200), from: instant.optional() }) },
    output: z.null(),
    errors: ['project_not_found'],
    http: { method: 'DELETE', path: '/v1/relay/prices', status: 204 },
    mcp: { tool: 'traces', action: 'remove_price' },
  },
});
