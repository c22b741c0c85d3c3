import { expect, it } from 'vitest';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { payloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { actionOf } from '../testing/manifest.ts';
import { ALLOW, echo, itemWorlds, people, type World } from '../testing/world.ts';

const REFUND = {
  actions: [actionOf('order.refund', { ...echo, risk_tier: 'medium' })],
};
const ASK = {
  policy_id: 'large-refunds',
  type: 'require_approval',
  parameters: { when: { amount: { gt: 100 } }, covers: 'session' },
} as const;
const hashOf = (text: string) => nodeHasher.hex(canonicalAppendixB(readJson(text) as JsonObject));

describeOnEachEngine('an approval with edits', (open) => {
  const world = itemWorlds(open);

  async function asked(parameters: object, settings: object = {}, codec?: Parameters<typeof world>[3]) {
    const w = await world([ALLOW, ASK], REFUND, settings, codec);
    const session = await w.start();
    const { resolution_id } = (await w.resolve(session)).body;
    const call = (given: object) =>
      w.execute(session, { resolution_id, action_id: 'order.refund', parameters: given });
    const { approval_id: id } = (await call(parameters)).body.error.details;
    const item = (await w.db.read((reader) => w.inbox.get(reader, id))) as NonNullable<
      Awaited<ReturnType<World['inbox']['get']>>
    >;
    const decide = (edits: string, more: object = {}) =>
      w.db.write((uow) =>
        w.inbox.decide(uow, {
          itemId: id,
          decision: 'approve_with_edits',
          digest: item.digest,
          principal: people.ana,
          edits: readJson(edits),
          ...more,
        }),
      );
    return { ...w, call, item, decide, id };
  }

  it('lets exactly the edited call run, once, and tells whoever asked what was approved', async () => {
    const { call, item, decide, send, id, inbox, db } = await asked({ amount: 480, order: 'A-1' });
    expect(item.editsAllowed).toBe(true);
    await decide('{"parameters":{"amount":120.50,"order":"A-1"}}');
    const view = (await send('GET', `/v1/approvals/${id}`)).body;
    expect(view).toMatchObject({
      status: 'approved',
      covers: 'call',
      parameters: { amount: 480, order: 'A-1' },
      parameters_hash: hashOf('{"amount":480,"order":"A-1"}'),
      approved_parameters: { amount: 120.5, order: 'A-1' },
    });
    const original = (await call({ amount: 480, order: 'A-1' })).body;
    expect(original).toMatchObject({
      status: 'denied',
      error: { details: { approval_id: id, approved_parameters: { amount: 120.5, order: 'A-1' } } },
    });
    expect(original.error.message).toContain('120.50');
    expect((await call({ amount: 121, order: 'A-1' })).body.status).toBe('pending_approval');
    expect((await call({ amount: 120.5, order: 'A-1' })).body).toMatchObject({
      status: 'success',
      result: { amount: 120.5, order: 'A-1' },
    });
    expect((await call({ amount: 120.5, order: 'A-1' })).body.status).toBe('pending_approval');
    expect((await call({ amount: 480, order: 'A-1' })).body.status).toBe('pending_approval');
    const details = await db.read((reader) => inbox.describe(reader, item, people.ana));
    expect(details).toMatchObject({ edited_hash: hashOf('{"amount":120.50,"order":"A-1"}') });
  });

  it('is of the parameters alone, all of them, and of one call', async () => {
    const { decide, item, inbox, db } = await asked({ amount: 480 });
    for (const edits of ['{}', '{"parameters":[]}', '{"parameters":{"amount":1},"more":1}', '{"amount":1}']) {
      await expect(decide(edits)).rejects.toMatchObject({ code: 'invalid_edits' });
    }
    await expect(decide('{"parameters":{"amount":1}}', { choice: 'session' })).rejects.toMatchObject({
      code: 'edits_cover_one_call',
    });
    expect(await db.read((reader) => inbox.get(reader, item.itemId))).toMatchObject({ state: 'open' });
  });

  it('is not offered where the person sees less than what was asked', async () => {
    const redact = (text: string) => text.replaceAll(/sk-\S+/g, '[redacted]');
    const { item, decide } = await asked({ amount: 480, token: 'sk-12345' }, { redact });
    expect(item.editsAllowed).toBe(false);
    await expect(decide('{"parameters":{"amount":1}}')).rejects.toMatchObject({ code: 'edits_not_allowed' });
    const rounded = await world([ALLOW, ASK], REFUND);
    const session = await rounded.start();
    const { resolution_id } = (await rounded.resolve(session)).body;
    const body = JSON.stringify({
      ...rounded.base(session, 'execute'),
      execution: { resolution_id, action_id: 'order.refund', parameters: { amount: 0 } },
    }).replace('"amount":0', '"amount":12345678901234567890');
    const { approval_id } = (await rounded.send('POST', '/v1/execute', body)).body.error.details;
    expect(await rounded.db.read((reader) => rounded.inbox.get(reader, approval_id))).toMatchObject({
      editsAllowed: false,
    });
  });

  it('keeps what was approved as sealed as what was asked', async () => {
    const { decide, db, id } = await asked({ amount: 480 }, {}, payloadCodec([new Uint8Array(32).fill(7)]));
    await decide('{"parameters":{"amount":111}}');
    const row = await db.read((reader) =>
      reader.get<{ edited_parameters: string }>(
        'select edited_parameters from governance_approvals where approval_id = ?',
        [id],
      ),
    );
    expect(row?.edited_parameters).toMatch(/^sealed:/);
  });

  it('takes what one rule asks of one agent for alike, whatever the parameters', async () => {
    const { call, inbox, db } = await asked({ amount: 480 });
    await call({ amount: 481 });
    const items = await db.read((reader) => inbox.list(reader, { projects: 'all', state: 'open', limit: 9 }));
    expect(items).toHaveLength(2);
    expect(new Set(items.map(({ likeKey }) => likeKey)).size).toBe(1);
    const shown = await db.read((reader) => inbox.highlights(reader, items[1] as never, people.ana));
    expect(shown).toEqual([{ name: 'amount', value: 481, deciding: true }]);
    const rival = await db.read((reader) => inbox.highlights(reader, items[1] as never, people.rival));
    expect(rival).toEqual([]);
  });
});
