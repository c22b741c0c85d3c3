import { randomUUID } from 'node:crypto';
import { createClient } from '../../packages/client/src/client.ts';
import type { TestServer } from '../setup/server.ts';

/** An agent that reads what was left, is held by a rule, is let through by a person, acts, and says what it did. */
export interface Story {
  readonly agentToken: string;
  readonly firstPackage: string;
  readonly fact: string;
  readonly session: string;
  readonly resolution: string;
  readonly approval: string;
  readonly execution: string;
  readonly lastPackage: string;
}

const MANIFEST = {
  atlas_version: '1.0',
  atlas_id: 'com.example.shop',
  version: '1.0.0',
  name: 'Shop',
  description: 'What the shop agent may do',
  actions: [
    { action_id: 'price.change', name: 'Change a price', description: 'Changes a price', executor: 'echo' },
  ],
  policies: [{ policy_id: 'ask-first', type: 'require_approval', actions: ['price.change'] }],
};

export async function tellStory(server: TestServer): Promise<Story> {
  const agentToken = await keyFor(server, 'builder', 'agent');
  const alice = createClient({ url: server.url, token: await keyFor(server, 'alice', 'human') });
  const agent = createClient({ url: server.url, token: agentToken });

  await server.client.call('atlas.load', { manifest: MANIFEST as never });
  const first = await alice.call('packages.write', { title: 'Prices follow the list of March' });
  const { fact } = await stated(alice, first.package_id);
  await agent.call('context.brief', {});

  const { session_id: session } = await agent.call('carp.session.start', {
    agent_id: 'builder',
    goal: 'Change a price',
  } as never);
  const carp = (operation: string, more: object) => ({
    carp_version: '1.0',
    request_id: randomUUID(),
    timestamp: new Date().toISOString(),
    operation,
    requester: { agent_id: 'builder', session_id: session },
    task: { goal: 'Change a price' },
    ...more,
  });
  const resolved = await post(server, agentToken, '/v1/resolve', carp('resolve', {}));
  const approval = resolved.decision.approval_id;
  await alice.call('approvals.decide', { approval_id: approval, decision: 'approve' } as never);
  const executed = await post(
    server,
    agentToken,
    '/v1/execute',
    carp('execute', {
      execution: { resolution_id: resolved.resolution_id, action_id: 'price.change', parameters: { to: 5 } },
    }),
  );
  const last = await agent.call('packages.write', {
    title: 'Changed the price',
    decisions_made: [`Set it to 5, done by execution ${executed.execution_id}`],
  });
  return {
    agentToken,
    firstPackage: first.package_id,
    fact,
    session,
    resolution: resolved.resolution_id,
    approval,
    execution: executed.execution_id,
    lastPackage: last.package_id,
  };
}

async function keyFor(server: TestServer, actor_id: string, actor_type: 'agent' | 'human'): Promise<string> {
  const { token } = await server.client.call('keys.create', { actor_id, actor_type });
  return token!;
}

async function stated(client: TestServer['client'], source: string): Promise<{ fact: string }> {
  const answer = (await client.call('facts.state', {
    subject: 'price',
    predicate: 'list',
    value: 'march',
    source_package_id: source,
  } as never)) as { id?: string; fact_id?: string };
  return { fact: answer.fact_id ?? answer.id ?? '' };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol whose shapes its own tests check
async function post(server: TestServer, token: string, path: string, body: object): Promise<any> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}
