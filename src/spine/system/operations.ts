import { defineOperations, outside, raw } from '../operations/define.ts';
import { healthSchema } from './schema.ts';

export const systemOperations = defineOperations({
  'system.health': {
    ...outside('ours', 'open'),
    summary: 'Report the health of the server and its store.',
    input: {},
    output: healthSchema,
    errors: [],
    http: { method: 'GET', path: '/v1/health' },
    cli: { command: 'health' },
  },
  'system.ready': {
    ...outside('ours', 'open'),
    summary: 'Return 200 if requests can be served, 503 otherwise.',
    input: {},
    output: healthSchema,
    errors: [],
    http: { method: 'GET', path: '/readyz' },
  },
  'system.live': {
    ...outside('ours', 'open'),
    summary: 'Return 200 as long as the process answers, whatever its store does.',
    input: {},
    output: healthSchema,
    errors: [],
    http: { method: 'GET', path: '/livez' },
  },
  'system.metrics': {
    ...raw('ours', 'metrics:read'),
    summary: 'Counters and timings in the Prometheus text format.',
    input: {},
    errors: [],
    http: { method: 'GET', path: '/metrics' },
  },
  'system.openapi': {
    ...raw('ours', 'open'),
    summary: 'The OpenAPI 3.1 description of this server.',
    input: {},
    errors: [],
    http: { method: 'GET', path: '/openapi.json' },
  },
});
