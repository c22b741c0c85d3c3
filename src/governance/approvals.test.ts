import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../storage/testing.ts';
import { ALLOW, itemWorlds } from './testing/items.ts';
import { people } from './testing/world.ts';

describeOnEachEngine('approvals', (open) => {
  const world = itemWorlds(open);

  it('waits for a person, runs only after the approval, and never when it is rejected', async () => {
    const w = await world([ALLOW, { policy_id: 'ask', type: 'require_approval', actions: ['item.drop'] }]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.decision).toMatchObject({
      type: 'partial',
      approval_id: expect.any(String),
      expires_at: expect.any(String),
    });
    const { approval_id: approval } = body.decision;
    expect(body.constraints).toMatchObject([
      { type: 'require_approval', parameters: { approval_id: approval, action_ids: ['item.drop'] } },
    ]);
    const run = () => w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' });
    expect(await run()).toMatchObject({
      status: 200,
      body: { status: 'pending_approval', result: null, error: { details: { approval_id: approval } } },
    });
    expect((await w.resolve(session)).body.decision.approval_id).toBe(approval);
    expect((await w.send('GET', '/v1/approvals')).body.items).toMatchObject([
      { approval_id: approval, status: 'pending', action_ids: ['item.drop'] },
    ]);
    const decide = (said: object, as: 'ana' | 'bot' = 'ana') =>
      w.send('POST', `/v1/approvals/${approval}`, said, { as });
    expect((await decide({ decision: 'approve' }, 'bot')).status).toBe(403);
    expect(await decide({ decision: 'approve', approver: 'ben' })).toMatchObject({
      status: 403,
      body: { error: { code: 'APPROVER_MISMATCH' } },
    });
    expect((await decide({ decision: 'approve', approver: 'ana', reason: 'fine' })).body).toMatchObject({
      status: 'approved',
      approver: 'ana',
      decision_reason: 'fine',
    });
    expect((await decide({ decision: 'approve', reason: 'fine' })).status).toBe(200);
    expect((await decide({ decision: 'reject' })).status).toBe(409);
    expect((await run()).body).toMatchObject({ status: 'success' });
    expect((await w.resolve(session)).body.decision.type).toBe('allow');
    w.clock.advance({ seconds: 3600 });
    const again = (await w.resolve(session)).body;
    expect(again.decision.approval_id).not.toBe(approval);
    expect(
      (
        await w.send(
          'POST',
          `/v1/approvals/${again.decision.approval_id}`,
          { decision: 'reject' },
          { as: 'ana' },
        )
      ).body.status,
    ).toBe('rejected');
    expect(
      (await w.execute(session, { resolution_id: again.resolution_id, action_id: 'item.drop' })).body.status,
    ).toBe('pending_approval');
    expect(
      (await w.trace(session)).filter(({ payload }) => payload.reason === 'approval_rejected').length,
    ).toBe(1);
  });

  it('takes the decision in the inbox for the same as the one on the approval', async () => {
    const w = await world([{ policy_id: 'ask', type: 'require_approval' }]);
    const session = await w.start();
    const { approval_id: itemId } = (await w.resolve(session)).body.decision;
    const item = await w.db.read((reader) => w.inbox.get(reader, itemId));
    expect(item).toMatchObject({
      kind: 'carp_approval',
      rule: 'ask',
      risk: 'high',
      requestedBy: { id: 'bot' },
    });
    const digest = item?.digest ?? '';
    await w.db.write((uow) =>
      w.inbox.decide(uow, { itemId, decision: 'reject', digest, principal: people.ana }),
    );
    expect((await w.send('GET', `/v1/approvals/${itemId}`)).body).toMatchObject({
      status: 'rejected',
      approver: 'ana',
    });
    expect((await w.trace(session)).filter(({ event_type }) => event_type === 'action.denied').length).toBe(
      2,
    );
  });

  it('asks about one call where the rule looks at its parameters', async () => {
    const w = await world([
      ALLOW,
      { policy_id: 'large', type: 'require_approval', parameters: { when: { amount: { gt: 100 } } } },
    ]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.decision.type).toBe('allow');
    const run = (amount: number) =>
      w.execute(session, {
        resolution_id: body.resolution_id,
        action_id: 'item.drop',
        parameters: { amount },
      });
    expect((await run(100)).body.status).toBe('success');
    const waiting = (await run(150)).body;
    expect(waiting.status).toBe('pending_approval');
    await w.send(
      'POST',
      `/v1/approvals/${waiting.error.details.approval_id}`,
      { decision: 'approve' },
      { as: 'ana' },
    );
    expect((await run(150)).body.status).toBe('success');
    expect((await run(151)).body.status).toBe('pending_approval');
  });
});
