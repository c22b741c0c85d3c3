import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../setup/server.ts';
import { agentClient } from './agent.ts';

const manifest = {
  atlas_version: '1.0',
  atlas_id: 'com.example.support',
  version: '1.2.0',
  name: 'Support desk',
  description: 'What support agents may do for customers, and what a person decides.',
  domains: ['support', 'payments'],
  actions: [
    action('ticket.read', 'Read a ticket', 'Reads a ticket and its history.', 'low'),
    action('ticket.reply', 'Reply to a customer', 'Sends a reply in the name of the desk.', 'medium'),
    action('payment.refund', 'Refund a payment', 'Sends money back to the customer.', 'high'),
    action('account.delete', 'Delete an account', 'Removes an account and its orders.', 'critical'),
  ],
  policies: [
    { policy_id: 'allow-tickets', type: 'allow', name: 'Tickets are open to agents', actions: ['ticket.*'] },
    {
      policy_id: 'refunds-need-a-person',
      type: 'require_approval',
      name: 'A person approves refunds',
      actions: ['payment.refund'],
      priority: 50,
    },
    {
      policy_id: 'allow-payments',
      type: 'allow',
      actions: ['payment.*'],
      conditions: { agents: ['support-*'] },
    },
    {
      policy_id: 'never-delete',
      type: 'deny',
      name: 'Nobody deletes accounts',
      actions: ['account.delete'],
      priority: 100,
      parameters: { reason: 'Accounts are closed by the back office.' },
    },
    {
      policy_id: 'quiet-hours',
      type: 'deny',
      actions: ['ticket.reply'],
      conditions: {
        time_window: { start: '22:00:00', end: '06:00:00', timezone: 'UTC', days: ['sat', 'sun'] },
      },
    },
  ],
};

/** An Atlas, and an agent that asked what it may do, and then for a refund that a person must approve. */
export async function seedGovernance(server: TestServer): Promise<void> {
  await server.client.call('atlas.load', { manifest: manifest as never });
  const agent = await agentClient(server, 'support-1');
  const goal = 'Answer ticket 4711 and refund the double charge';
  const session = await agent.call('carp.session.start', { agent_id: 'support-1', goal });
  const request = (operation: string) => ({
    carp_version: '1.0',
    request_id: randomUUID(),
    timestamp: new Date().toISOString(),
    operation,
    requester: { agent_id: 'support-1', session_id: session.session_id },
    task: { goal, risk_tier: 'high' },
  });
  const { resolution_id } = await agent.call('carp.resolve', { request: request('resolve') as never });
  const parameters = { payment: 'pay_4711', amount: '49.90', currency: 'EUR' };
  const execution = { resolution_id, action_id: 'payment.refund', parameters };
  await agent.call('carp.execute', { request: { ...request('execute'), execution } as never });
}

function action(action_id: string, name: string, description: string, risk_tier: string) {
  return { action_id, name, description, risk_tier, parameters_schema: { type: 'object' } };
}
