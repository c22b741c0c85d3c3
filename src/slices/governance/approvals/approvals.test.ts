import { describe, expect, it } from 'vitest';
import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import { nodeHasher } from '../../../platform/index.ts';
import type { InboxItem } from '../../../spine/inbox/item.ts';
import { type PayloadCodec, payloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import type { Constraint } from '../resolution/schema.ts';
import { actionOf } from '../testing/manifest.ts';
import { ACTIONS, ALLOW, echo, itemWorlds, people, type Who, type World } from '../testing/world.ts';

/** As the usual actions, but of a risk that may be agreed to before the parameters are known. */
const CALM = { actions: [ACTIONS[0], actionOf('item.drop', { ...echo, risk_tier: 'medium' })] };

describeOnEachEngine('approvals', (open) => {
  const world = itemWorlds(open);
  const waiting = (w: World) =>
    w.db.read((reader) => w.inbox.list(reader, { projects: 'all', state: 'open', limit: 10 }));

  it('tells other agents of the project that something waits, and not what for', async () => {
    const w = await world(
      [ALLOW, { policy_id: 'ask', type: 'require_approval', actions: ['item.drop'] }],
      CALM,
    );
    const session = await w.start();
    const { resolution_id, decision } = (await w.resolve(session)).body;
    const parameters = { id: 'secret-7' };
    await w.execute(session, { resolution_id, action_id: 'item.drop', parameters });
    const path = `/v1/approvals/${decision.approval_id}`;
    const own = (await w.send('GET', path)).body;
    expect(own).toMatchObject({ parameters, parameters_hash: expect.any(String) });
    for (const as of ['ana', 'relayer'] as const) {
      expect((await w.send('GET', path, undefined, { as })).body).toMatchObject({
        goal: own.goal,
        parameters,
      });
    }
    const seen = (await w.send('GET', path, undefined, { as: 'rival' })).body;
    expect(seen).toMatchObject({ status: 'pending', parameters: null, parameters_hash: null });
    const { items } = (await w.send('GET', '/v1/approvals', undefined, { as: 'rival' })).body;
    for (const shown of [seen, ...items]) {
      expect(JSON.stringify(shown)).not.toContain('secret-7');
      expect(shown.goal).not.toBe(own.goal);
    }
  });

  it('waits for a person, runs only after the approval, and never when it is rejected', async () => {
    const w = await world(
      [ALLOW, { policy_id: 'ask', type: 'require_approval', actions: ['item.drop'] }],
      CALM,
    );
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
    expect((await run()).body).toMatchObject({ status: 'pending_approval' });
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
    const w = await world([{ policy_id: 'ask', type: 'require_approval' }], CALM);
    const session = await w.start();
    const { approval_id: itemId } = (await w.resolve(session)).body.decision;
    await w.send('POST', `/v1/approvals/${itemId}/ask`, {});
    const item = await w.db.read((reader) => w.inbox.get(reader, itemId));
    expect(item).toMatchObject({
      kind: 'carp_approval',
      rule: 'ask',
      risk: 'medium',
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
    expect((await w.send('GET', '/v1/approvals')).body.items).toMatchObject([
      {
        covers: 'call',
        parameters: { amount: 151 },
        allows: 'This call of item.drop, once, with exactly these parameters',
      },
    ]);
  });

  describe('that a resolution names', () => {
    const ASK: Policy = { policy_id: 'ask', type: 'require_approval' };

    it('bother nobody until the agent wants to act, and then about that action alone', async () => {
      const w = await world([ASK], CALM);
      const session = await w.start();
      const { body } = await w.resolve(session);
      const { approval_id: named } = body.decision;
      expect(body.constraints).toMatchObject([{ parameters: { approval_id: named } }]);
      expect(await waiting(w)).toEqual([]);
      expect((await w.send('GET', '/v1/approvals')).body.items).toEqual([]);
      expect((await w.send('GET', '/v1/approvals?status=offered')).body.items).toMatchObject([
        { approval_id: named, status: 'offered', asked_at: null, action_ids: ['item.get', 'item.drop'] },
      ]);
      const run = () => w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' });
      const first = (await run()).body.error.details.approval_id;
      expect(first).not.toBe(named);
      expect((await run()).body.error.details.approval_id).toBe(first);
      expect(await waiting(w)).toMatchObject([
        { itemId: first, title: 'bot asks to run item.drop', risk: 'medium' },
      ]);
    });

    it('may be asked for before, by the agent whose session it is, once', async () => {
      const w = await world([ASK], CALM);
      const session = await w.start();
      const { approval_id: named } = (await w.resolve(session)).body.decision;
      const ask = (said: object, as: Who = 'bot') =>
        w.send('POST', `/v1/approvals/${named}/ask`, said, { as });
      expect((await ask({}, 'rival')).status).toBe(403);
      expect((await ask({ action_id: 'no.such' })).body.error.code).toBe('ACTION_NOT_FOUND');
      const { body: one } = await ask({ action_id: 'item.drop' });
      expect(one).toMatchObject({ status: 'pending', action_ids: ['item.drop'], parameters: null });
      expect((await ask({ action_id: 'item.drop' })).body.approval_id).toBe(one.approval_id);
      expect((await ask({})).body).toMatchObject({ approval_id: named, status: 'pending' });
      expect(await waiting(w)).toHaveLength(2);
      w.clock.advance({ seconds: 3600 });
      expect((await ask({})).body.status).toBe('expired');
    });

    it('answer what was asked about less of the same, where they are given for the session', async () => {
      const w = await world([{ ...ASK, parameters: { covers: 'session' } }], CALM);
      const session = await w.start();
      const { body } = await w.resolve(session);
      const call = { resolution_id: body.resolution_id, action_id: 'item.drop' };
      // The offer is for both actions, so that the call asks on its own.
      const one: string = (await w.execute(session, call)).body.error.details.approval_id;
      const all: string = body.decision.approval_id;
      const yes = { decision: 'approve', covers: 'session', reason: 'fine' };
      await w.send('POST', `/v1/approvals/${all}`, yes, { as: 'ana' });
      expect(await waiting(w)).toEqual([]);
      expect((await w.send('GET', `/v1/approvals/${one}`)).body).toMatchObject({
        status: 'approved',
        approver: 'ana',
      });
      const item = await w.db.read((reader) => w.inbox.get(reader, one));
      expect(item).toMatchObject({ state: 'superseded', reason: 'approved_otherwise' });
    });

    it('give a person as long as the rule says from the moment they are asked, and nothing once they lapsed', async () => {
      const w = await world([ASK], CALM);
      const session = await w.start();
      const { approval_id: late } = (await w.resolve(session)).body.decision;
      w.clock.advance({ seconds: 3000 });
      await w.send('POST', `/v1/approvals/${late}/ask`, {});
      w.clock.advance({ seconds: 3000 });
      const { body } = await w.send('POST', `/v1/approvals/${late}`, { decision: 'approve' }, { as: 'ana' });
      expect(body.status).toBe('approved');
      const another = await w.start();
      const { approval_id: lapsed } = (await w.resolve(another)).body.decision;
      w.clock.advance({ seconds: 3600 });
      expect((await w.send('POST', `/v1/approvals/${lapsed}/ask`, {})).status).toBe(410);
      const decision = { decision: 'approve' };
      expect((await w.send('POST', `/v1/approvals/${lapsed}`, decision, { as: 'ana' })).status).toBe(410);
    });

    it('may be given before anybody asks, for one call whatever its parameters, and say so', async () => {
      const w = await world([ASK], CALM);
      const session = await w.start();
      const { body } = await w.resolve(session);
      const { approval_id: named } = body.decision;
      const given = await w.send('POST', `/v1/approvals/${named}`, { decision: 'approve' }, { as: 'ana' });
      expect(given.body).toMatchObject({
        status: 'approved',
        approver: 'ana',
        covers: 'action',
        allows: 'One call of item.get or item.drop, whatever its parameters: they are not known yet',
      });
      const call = {
        resolution_id: body.resolution_id,
        action_id: 'item.drop',
        parameters: { any: 'thing' },
      };
      expect((await w.resolve(session)).body.decision.type).toBe('allow');
      expect((await w.execute(session, call)).body.status).toBe('success');
      expect((await w.execute(session, call)).body.status).toBe('pending_approval');
    });

    it('are one for each rule, so that each keeps its own approvers', async () => {
      const w = await world(
        [
          { policy_id: 'get', type: 'require_approval', actions: ['item.get'] },
          {
            policy_id: 'drop',
            type: 'require_approval',
            actions: ['item.drop'],
            parameters: { approvers: ['lead-*'] },
          },
        ],
        CALM,
      );
      const session = await w.start();
      const { body } = await w.resolve(session);
      const [get, drop] = body.constraints.map((each: Constraint) => each.parameters?.approval_id);
      expect([body.decision.approval_id === get, get === drop]).toEqual([true, false]);
      const decide = (id: string) =>
        w.send('POST', `/v1/approvals/${id}`, { decision: 'approve' }, { as: 'ana' });
      expect((await decide(get)).status).toBe(200);
      expect(await decide(drop)).toMatchObject({
        status: 403,
        body: { error: { code: 'APPROVER_REQUIRED', details: { approvers: ['lead-*'] } } },
      });
    });

    it('are none for a high risk or a rule on parameters: those are asked when the call is made', async () => {
      const w = await world([
        ALLOW,
        { policy_id: 'ask', type: 'require_approval' },
        { policy_id: 'large', type: 'require_approval', parameters: { when: { amount: { gt: 1 } } } },
      ]);
      const session = await w.start();
      const { body } = await w.resolve(session, { task: { goal: 'Drop', risk_tier: 'critical' } });
      expect(body.decision).toMatchObject({ type: 'requires_approval', approval_id: null, expires_at: null });
      expect(body.constraints).toMatchObject([
        {
          constraint_id: 'ask',
          parameters: { approval_id: null, at_execute: ['item.get', 'item.drop'] },
        },
      ]);
      expect((await w.send('GET', '/v1/approvals?status=all')).body).toEqual({ items: [], total: 0 });
      const call = { resolution_id: body.resolution_id, action_id: 'item.drop', parameters: { amount: 2 } };
      const { approvals } = (await w.execute(session, call)).body.error.details;
      expect(approvals.map((each: { policy_id: string }) => each.policy_id)).toEqual(['ask', 'large']);
    });
  });

  describe('of a call', () => {
    const KEY = 'a key of thirty-two bytes, no less';
    const secret = (text: string) => text.replaceAll(/\b\d{4}\b|(?<=pin: )\w+/g, '****');
    const exact = '{"to":"ben","note":"Card 1234","pin":987,"list":["5555",1],"big":12345678901234567890}';

    async function asked(settings = {}, payloads?: PayloadCodec) {
      const policies: Policy[] = [{ policy_id: 'ask', type: 'require_approval' }];
      const w = await world(policies, {}, settings, payloads);
      const session = await w.start();
      const { resolution_id } = (await w.resolve(session)).body;
      const carp = { ...w.base(session, 'execute'), execution: { resolution_id, action_id: 'item.drop' } };
      const text = JSON.stringify(carp).replace(/}}$/, `,"parameters":${exact}}}`);
      const { body } = await w.send('POST', '/v1/execute', text);
      const id: string = body.error.details.approval_id;
      return { w, id, item: (await w.db.read((reader) => w.inbox.get(reader, id))) as InboxItem };
    }

    it('show its parameters without their secrets, and bind the decision to what is shown', async () => {
      const { w, id, item } = await asked({ redact: secret });
      const { body } = await w.send('GET', `/v1/approvals/${id}`);
      const parameters = {
        to: 'ben',
        note: 'Card ****',
        pin: '****',
        list: ['****', 1],
        big: '12345678901234567890',
      };
      expect(body).toMatchObject({ covers: 'call', parameters });
      expect(body.parameters_hash).toBe(nodeHasher.hex(canonicalAppendixB(readJson(exact))));
      const { session_id, agent_id, action_ids, atlas, policy_id, risk_tier, parameters_hash } = body;
      const { requested_by, may_differ, choices } = body;
      const content = {
        ...{ session_id, agent_id, requested_by, action_ids, atlas, policy_id, risk_tier },
        ...{ parameters, parameters_hash, may_differ, choices },
      };
      expect(item.digest).toBe(formatDigest(digestOf(nodeHasher, 'jcs', content)));
      expect(await w.db.read((reader) => w.inbox.describe(reader, item, people.ana))).toEqual({
        goal: 'Do the work',
        reason: 'A person must approve first',
        ...content,
      });
    });

    it('stand sealed in the store where payloads do', async () => {
      const { w, id } = await asked({}, payloadCodec([Buffer.from(KEY).subarray(0, 32)]));
      const stored = await w.db.read((reader) =>
        reader.get<{ parameters: string }>(
          'select parameters from governance_approvals where approval_id = ?',
          [id],
        ),
      );
      expect(stored?.parameters).toMatch(/^sealed:/);
      expect((await w.send('GET', `/v1/approvals/${id}`)).body.parameters.note).toBe('Card 1234');
    });
  });
});
