import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { at, byId, missing } from '../declare.ts';
import * as s from '../schema.ts';

export const webhookOperations = defineOperations({
  'memory.webhook.add': {
    ...write('ours', 'memory:own'),
    idempotency: 'refused',
    decides: true,
    summary: 'Send events of the profile to an address.',
    input: { body: s.webhookInput },
    output: s.webhookMade,
    errors: [...missing, 'webhook_refused'],
    http: at('POST', '/webhooks', 201),
    cli: { command: 'memory webhook', positionals: ['url'] },
  },
  'memory.webhooks': {
    ...read('ours', 'memory:own'),
    summary: 'List the webhooks of the profile.',
    input: { query: s.inProfile },
    output: s.webhookList,
    errors: [...missing],
    http: at('GET', '/webhooks'),
    cli: { command: 'memory webhooks' },
  },
  'memory.webhook.remove': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Remove a webhook.',
    input: { path: s.idPath, query: s.inProfile },
    output: s.done,
    errors: [...byId],
    http: at('DELETE', '/webhooks/{id}'),
  },
  'memory.deliveries': {
    ...read('ours', 'memory:own'),
    summary: 'List deliveries to webhooks, including those that failed.',
    input: { query: s.deliveryQuery },
    output: s.deliveryList,
    errors: [...missing],
    http: at('GET', '/deliveries'),
  },
  'memory.delivery.retry': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Send an undelivered event again.',
    input: { path: s.idPath, query: s.inProfile },
    output: s.done,
    errors: [...byId],
    http: at('POST', '/deliveries/{id}/retry'),
  },
});
