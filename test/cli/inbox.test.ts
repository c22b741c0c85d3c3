import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let agentKey: string;
let packages = 0;

beforeAll(async () => {
  server = await startTestServer();
  const response = await server.fetch('/v1/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actor_id: 'coral', actor_type: 'agent' }),
  });
  agentKey = ((await response.json()) as { token: string }).token;
});
afterAll(() => server.close());

const PAYING = {
  atlas_version: '1.0',
  atlas_id: 'com.example.paying',
  version: '1.0.0',
  name: 'Paying',
  description: 'What is paid',
  actions: [{ action_id: 'money.pay', name: 'Pay', description: 'Pays', executor: 'echo' }],
  policies: [{ policy_id: 'ask', type: 'require_approval' }],
};

const baton = (...args: string[]) => runBaton(args, { env: { BATON_DATA: server.dataDir } });

/** An agent's package that waits for a person; answers the id of its inbox item. */
async function waiting(title: string): Promise<string> {
  packages += 1;
  const response = await fetch(`${server.url}/v1/projects/default/packages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      package_id: `pkg_${packages}`,
      project_id: 'default',
      relay_version: '0.1',
      title,
      status: 'awaiting_review',
      review_type: 'human',
      package_type: 'standard',
      created_at: '2026-01-01T00:00:00Z',
      created_by: { id: 'coral', type: 'agent' },
    }),
  });
  expect(response.status).toBe(201);
  const { items } = JSON.parse((await baton('inbox', 'list', '--json')).stdout) as {
    items: { id: string; title: string }[];
  };
  const item = items.find((each) => each.title.includes(title));
  expect(item).toBeDefined();
  return item!.id;
}

describe('deciding from the command line', () => {
  it('names the exact command to a script that has seen nothing, and decides nothing', async () => {
    const id = await waiting('Plan A');
    const { code, stderr } = await baton('inbox', 'approve', id);
    expect(code).toBe(2);
    const command = /baton (inbox approve \S+ --digest \S+)/.exec(stderr)?.[1];
    expect(command).toBeDefined();
    expect(JSON.parse((await baton('inbox', 'show', id, '--json')).stdout).state).toBe('open');
    const approved = await baton(...command!.split(' '));
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('Approved') });
    expect(JSON.parse((await baton('inbox', 'show', id, '--json')).stdout).state).toBe('applied');
  });

  it('shows the parameters of what an agent asks to run, and where to look at them', async () => {
    const agent = createClient({ url: server.url, token: agentKey });
    await server.client.call('atlas.load', { manifest: PAYING as never });
    const { session_id } = await agent.call('carp.session.start', { agent_id: 'coral', goal: 'Pay' });
    const carp = (operation: string, more: object = {}) => ({
      carp_version: '1.0',
      request_id: randomUUID(),
      timestamp: new Date().toISOString(),
      operation,
      requester: { agent_id: 'coral', session_id },
      task: { goal: 'Pay' },
      ...more,
    });
    const { resolution_id } = await agent.call('carp.resolve', { request: carp('resolve') as never });
    const execution = { resolution_id, action_id: 'money.pay', parameters: { to: 'ben', amount: 12.5 } };
    const asked = await agent.call('carp.execute', { request: carp('execute', { execution }) as never });
    const id = String(asked.error?.details?.approval_id);
    const explained = await baton('carp', 'explain', 'money.pay', '--agent-id', 'coral');
    expect(explained.stdout).toMatch(/money\.pay: require approval, by ask\n.*\n\s+ask\s+require_approval/);
    const { stdout } = await baton('inbox', 'show', id);
    expect(stdout).toMatch(/parameters\n\s+to\s+ben\n\s+amount\s+12\.5/);
    expect(stdout).toContain(`baton inbox approve ${id}`);
    expect((await baton('inbox')).stdout).toContain('baton inbox show ID');
    expect((await baton('inbox', 'approve', id)).stderr).toContain(`baton inbox show ${id}`);
  });

  it('takes the item as it stands with --yes', async () => {
    const id = await waiting('Plan B');
    expect(await baton('inbox', 'reject', id, '--yes', '--note', 'too early')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Rejected'),
    });
    const { decision } = JSON.parse((await baton('inbox', 'show', id, '--json')).stdout);
    expect(decision).toMatchObject({ decision: 'reject', note: 'too early' });
  });

  it('refuses a digest of something else, and edits that are no JSON', async () => {
    const id = await waiting('Plan C');
    expect((await baton('inbox', 'approve', id, '--digest', 'jcs-sha256:00')).stderr).toContain(
      'stale_digest',
    );
    expect((await baton('inbox', 'approve', id, '--yes', '--edits', '{')).code).toBe(2);
  });

  it('decides many at once, by their ids or by what they are like, and names those that it could not', async () => {
    const ids = [await waiting('Plan D'), await waiting('Plan E'), await waiting('Plan F')];
    const unseen = await baton('inbox', 'approve', ...ids);
    expect(unseen).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const two = await baton('inbox', 'approve', ...ids.slice(0, 2), '--yes');
    expect(two).toMatchObject({ code: 0, stdout: expect.stringContaining('Approved 2.') });
    const later = await waiting('Plan G');
    const rest = await baton('inbox', 'reject', '--like', ids[2]!, '--yes', '--note', 'not now', '--json');
    const { decided, results } = JSON.parse(rest.stdout);
    expect(decided).toBe(results.length);
    expect(results.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([ids[2], later]));
    expect((await baton('inbox', 'approve', ...ids, '--yes')).stderr).toContain('yours to decide');
    expect((await baton('inbox', 'approve')).code).toBe(2);
    const one = await waiting('Plan H');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await baton('inbox', 'defer', one, until)).code).toBe(0);
    expect((await baton('inbox', '--mine')).stdout).not.toContain(one);
    expect((await baton('inbox', '--aside')).stdout).toContain(one);
    expect((await baton('inbox', 'bring-back', one)).code).toBe(0);
    expect((await baton('inbox', 'groups')).stdout).toContain('Plan H');
  });
});
