/** A resolution is served again as long as nothing that it says has changed, with approvals and limits as without. */
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { openWorld, worldMigrations } from '../testing/world.ts';

const ACTIONS = [actionOf('item.get', { executor: 'echo' }), actionOf('item.drop', { executor: 'echo' })];
const POLICIES = [
  { policy_id: 'all', type: 'allow' as const },
  { policy_id: 'ask', type: 'require_approval' as const, actions: ['item.drop'] },
  {
    policy_id: 'rate',
    type: 'rate_limit' as const,
    actions: ['item.get'],
    parameters: { max_calls: 5, window_seconds: 60 },
  },
];

describeOnEachEngine('kept resolutions with approvals and limits', (open) => {
  it('change with what is asked, granted and spent, and with nothing else', async () => {
    const w = await openWorld(await open(worldMigrations));
    await w.load(manifestOf({ actions: ACTIONS, policies: POLICIES }));
    const session = await w.start();
    const seen: string[] = [];
    /** The position of the answer among those seen so far. */
    const resolve = async () => {
      const { body } = await w.resolve(session);
      if (!seen.includes(body.resolution_id)) seen.push(body.resolution_id);
      return { nth: seen.indexOf(body.resolution_id), body };
    };
    const remaining = ({
      constraints,
    }: {
      constraints: { type: string; parameters: { remaining?: number } }[];
    }) => constraints.find(({ type }) => type === 'rate_limit')?.parameters.remaining;

    const first = await resolve();
    expect(first.nth).toBe(0);
    expect((await resolve()).nth).toBe(0);

    await w.execute(session, { resolution_id: first.body.resolution_id, action_id: 'item.get' });
    const spent = await resolve();
    expect([spent.nth, remaining(spent.body)]).toEqual([1, 4]);
    expect((await resolve()).nth).toBe(1);
    w.clock.advance({ seconds: 61 });
    const free = await resolve();
    expect([free.nth, remaining(free.body)]).toEqual([0, 5]);

    const drop = { resolution_id: first.body.resolution_id, action_id: 'item.drop', parameters: { id: 1 } };
    expect((await w.execute(session, drop)).body.status).toBe('pending_approval');
    const asked = await resolve();
    expect(asked.nth).toBe(2);
    const { approval_id: id } = asked.body.decision;
    await w.send('POST', `/v1/approvals/${id}`, { decision: 'approve' }, { as: 'ana' });
    const granted = await resolve();
    expect(granted.nth).toBe(3);
    expect((await resolve()).nth).toBe(3);
    expect((await w.execute(session, drop)).body.status).toBe('success');
    expect((await resolve()).nth).toBe(4);
    expect((await w.send('POST', `/v1/traces/${session}/replay`)).body.deterministic).toBe(true);
  });
});
