import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../setup/server.ts';
import { agentClient } from './agent.ts';

const manifest = {
  atlas_version: '1.0',
  atlas_id: 'com.example.billing',
  version: '1.0.0',
  name: 'Billing',
  description: 'What billing agents may do, and what a person decides.',
  actions: [
    {
      action_id: 'order.refund',
      name: 'Refund an order',
      description: 'Sends money back to the customer.',
      executor: 'echo',
      risk_tier: 'medium',
      parameters_schema: {
        type: 'object',
        properties: { order: { type: 'string' }, amount: { type: 'number' }, reason: { type: 'string' } },
      },
    },
    {
      action_id: 'key.rotate',
      name: 'Rotate a key',
      description: 'Replaces a live key.',
      executor: 'echo',
      risk_tier: 'high',
      parameters_schema: { type: 'object' },
    },
  ],
  policies: [
    {
      policy_id: 'large-refunds',
      type: 'require_approval',
      actions: ['order.refund'],
      parameters: { when: { amount: { gt: 100 } }, reason: 'A person agrees to refunds above 100' },
    },
    { policy_id: 'live-secrets', type: 'require_approval', actions: ['key.rotate'] },
    { policy_id: 'billing', type: 'allow', actions: ['order.*', 'key.*'] },
  ],
};

export interface Refunds {
  /** Executes again, as the agent does once a person has answered. */
  call(action: string, parameters: object): Promise<{ readonly status: string; readonly error?: unknown }>;
}

/** An agent that wants many refunds, each above what it may send alone, and a few keys rotated. */
export async function seedRefunds(server: TestServer, refunds: number, keys = 2): Promise<Refunds> {
  await server.client.call('atlas.load', { manifest: manifest as never });
  const agent = await agentClient(server, 'refund-bot');
  const goal = 'Send back what was paid for lost parcels';
  const { session_id } = await agent.call('carp.session.start', { agent_id: 'refund-bot', goal });
  const request = (operation: string, more: object = {}) => ({
    carp_version: '1.0',
    request_id: randomUUID(),
    timestamp: new Date().toISOString(),
    operation,
    requester: { agent_id: 'refund-bot', session_id },
    task: { goal },
    ...more,
  });
  const { resolution_id } = await agent.call('carp.resolve', { request: request('resolve') as never });
  const call: Refunds['call'] = (action_id, parameters) =>
    agent.call('carp.execute', {
      request: request('execute', { execution: { resolution_id, action_id, parameters } }) as never,
    }) as never;
  for (let n = 0; n < refunds; n += 1) {
    await call('order.refund', { order: `A-${20_790 + n}`, amount: 104 + n * 1.5, reason: 'parcel_lost' });
  }
  for (let n = 0; n < keys; n += 1) await call('key.rotate', { key: `payments-${n}` });
  return { call };
}
