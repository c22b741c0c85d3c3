import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { actionOf } from '../testing/manifest.ts';
import { ALLOW, echo, itemWorlds, people, type Who, type World } from '../testing/world.ts';

const ASK: Policy = {
  policy_id: 'large-refunds',
  type: 'require_approval',
  actions: ['order.refund'],
  parameters: { when: { amount: { gt: 100 } } },
};
const refund = (risk_tier: 'medium' | 'high') => ({
  actions: [
    actionOf('order.refund', {
      ...echo,
      risk_tier,
      parameters_schema: {
        type: 'object',
        properties: { order: { type: 'string' }, amount: { type: 'number' }, reason: { type: 'string' } },
      },
    }),
  ],
});

describeOnEachEngine('a standing answer', (open) => {
  const world = itemWorlds(open);

  async function opened(risk: 'medium' | 'high' = 'medium') {
    const w = await world([ALLOW, ASK], refund(risk));
    const session = await w.start();
    const { resolution_id } = (await w.resolve(session)).body;
    const call = (parameters: object) =>
      w.execute(session, { resolution_id, action_id: 'order.refund', parameters });
    const ask = async (parameters: object): Promise<string> =>
      (await call(parameters)).body.error.details.approval_id;
    return { ...w, call, ask };
  }
  const lost = (n: number, amount = 104 + n) => ({ order: `A-${n}`, amount, reason: 'parcel_lost' });
  const decide = (w: World, id: string, as: Who = 'ana', decision = 'approve') =>
    w.send('POST', `/v1/approvals/${id}`, { decision }, { as });
  const suggested = async (w: World, as: Who = 'ana') =>
    (await w.send('GET', '/v1/standing-answers', undefined, { as })).body.items;

  async function approved(w: Awaited<ReturnType<typeof opened>>, times: number, as: Who = 'ana') {
    for (let n = 0; n < times; n += 1) {
      const { status } = await decide(w, await w.ask(lost(n)), as);
      expect(status).toBe(200);
    }
  }

  it('is suggested to who approved twenty without an exception, and to nobody else', async () => {
    const w = await opened();
    await approved(w, 19);
    expect(await suggested(w)).toEqual([]);
    await decide(w, await w.ask(lost(19)));
    const open = await w.ask(lost(30, 110));
    await w.ask({ ...lost(31), amount: 480 });
    const [answer] = await suggested(w);
    expect(answer).toMatchObject({
      agent_id: 'bot',
      action_id: 'order.refund',
      policy_id: 'large-refunds',
      approved: 20,
      within: [
        { path: 'amount', test: { gte: 104, lte: 123 } },
        { path: 'reason', test: { eq: 'parcel_lost' } },
      ],
      free: ['order'],
      waiting: [open],
    });
    expect(await suggested(w, 'ben')).toEqual([]);
    expect((await w.send('GET', '/v1/standing-answers', undefined, { as: 'bot' })).status).toBe(403);
  });

  it('says what it would have decided, and holds from when it is loaded', async () => {
    const w = await opened();
    await approved(w, 20);
    const other = await w.ask({ ...lost(40), reason: 'wrong_item' });
    await decide(w, other, 'ben', 'reject');
    const [{ id }] = await suggested(w);
    const { status, body } = await w.send('GET', `/v1/standing-answers/${id}`, undefined, { as: 'ana' });
    expect(status).toBe(200);
    const outcomes = body.replayed.map((each: { decision: string; after: string }) => [
      each.decision,
      each.after,
    ]);
    expect(outcomes).toHaveLength(21);
    expect(outcomes).toContainEqual(['rejected', 'require_approval']);
    expect(
      outcomes.filter(([decision, after]: string[]) => decision === 'approved' && after === 'allow'),
    ).toHaveLength(20);
    expect((await w.call(lost(50, 120))).body.status).toBe('pending_approval');
    const loaded = await w.send('POST', '/v1/atlases', body.manifest, { as: 'ana' });
    expect([loaded.status, loaded.body.warnings]).toEqual([201, undefined]);
    expect((await w.call(lost(51, 120))).body.status).toBe('success');
    expect((await w.call(lost(52, 124))).body.status).toBe('pending_approval');
    expect((await w.call({ ...lost(53), reason: 'other' })).body.status).toBe('pending_approval');
    expect(await suggested(w)).toEqual([]);
    expect((await w.send('GET', `/v1/standing-answers/${id}`, undefined, { as: 'ana' })).status).toBe(404);
  });

  it('is not suggested once anybody refused such a call', async () => {
    const w = await opened();
    await approved(w, 20);
    expect(await suggested(w)).toHaveLength(1);
    await decide(w, await w.ask(lost(60, 119)), 'ben', 'reject');
    expect(await suggested(w)).toEqual([]);
  });

  it('is not suggested where somebody approved such a call with other parameters', async () => {
    const w = await opened();
    await approved(w, 20);
    const id = await w.ask(lost(70, 118));
    const item = await w.db.read((reader) => w.inbox.get(reader, id));
    await w.db.write((uow) =>
      w.inbox.decide(uow, {
        itemId: id,
        decision: 'approve_with_edits',
        digest: item?.digest ?? '',
        principal: people.ben,
        edits: { parameters: lost(70, 101) },
      }),
    );
    expect(await suggested(w)).toEqual([]);
  });

  it('is never suggested for a high risk, nor from what is long ago', async () => {
    const risky = await opened('high');
    await approved(risky, 20);
    expect(await suggested(risky)).toEqual([]);
    const w = await opened();
    await approved(w, 20);
    w.clock.advance({ seconds: 91 * 86_400 });
    expect(await suggested(w)).toEqual([]);
  });

  it('is of one project, and shows no Atlas to who may not read it', async () => {
    const w = await opened();
    await approved(w, 20);
    const other = await w.send('GET', '/v1/standing-answers?project=other', undefined, { as: 'ana' });
    expect(other.status).toBe(404);
  });
});
