import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { ALLOW, echo, itemWorlds, type Who, type World } from '../testing/world.ts';

const ACTIONS = [
  actionOf('money.pay', echo),
  actionOf('money.lend', { ...echo, idempotent: true }),
  actionOf('money.burn', { ...echo, risk_tier: 'high' }),
];
const ASK: Policy = { policy_id: 'ask', type: 'require_approval' };
const LEAD: Policy = {
  policy_id: 'lead-ok',
  type: 'require_approval',
  parameters: { approvers: ['lead-*'] },
};
const CFO: Policy = {
  policy_id: 'cfo-ok',
  type: 'require_approval',
  parameters: { approvers: ['cfo'], when: { amount: { gt: 1000 } } },
};

interface Waiting {
  readonly approval_id: string;
  readonly policy_id: string;
}

describeOnEachEngine('a grant', (open) => {
  const worlds = itemWorlds(open);
  const world = (policies: Policy[], parts: object = {}) => worlds(policies, { actions: ACTIONS, ...parts });

  /** A session with what an agent does in it. */
  async function agent(w: World, as: Who = 'bot', parts: object = {}) {
    const { body: started } = await w.send(
      'POST',
      '/v1/sessions',
      { agent_id: 'bot', goal: 'Do the work' },
      { as },
    );
    const session: string = started.session_id;
    const { resolution_id } = (await w.resolve(session, parts, as)).body;
    const run = async (parameters: object = {}, more: object = {}, envelope: object = {}) =>
      (await w.execute(session, { resolution_id, action_id: 'money.pay', parameters, ...more }, envelope, as))
        .body;
    const ask = async (parameters: object = {}, more: object = {}): Promise<Waiting[]> =>
      (await run(parameters, more)).error.details.approvals;
    return { session, resolution_id, run, ask };
  }
  const decide = (w: World, id: string, as: Who, said: object = {}) =>
    w.send('POST', `/v1/approvals/${id}`, { decision: 'approve', ...said }, { as });
  const idOf = (waiting: readonly Waiting[], policyId = 'ask') =>
    waiting.find((each) => each.policy_id === policyId)?.approval_id ?? '';

  it('to one policy satisfies no other: a lead approves 1, and 1,000,000 still waits for lead and CFO', async () => {
    const w = await world([LEAD, CFO]);
    const { run, ask } = await agent(w);
    const small = await ask({ amount: 1 });
    expect(small.map(({ policy_id }) => policy_id)).toEqual(['lead-ok']);
    expect((await decide(w, idOf(small, 'lead-ok'), 'lead-1')).status).toBe(200);
    const large = await ask({ amount: 1_000_000 });
    expect(large.map(({ policy_id }) => policy_id)).toEqual(['lead-ok', 'cfo-ok']);
    expect((await run({ amount: 1 })).status).toBe('success');

    expect((await decide(w, idOf(large, 'lead-ok'), 'lead-1')).status).toBe(200);
    expect((await ask({ amount: 1_000_000 })).map(({ policy_id }) => policy_id)).toEqual(['cfo-ok']);
    for (const other of ['lead-1', 'ana'] as const) {
      expect((await decide(w, idOf(large, 'cfo-ok'), other)).body.error.code).toBe('APPROVER_REQUIRED');
    }
    expect((await decide(w, idOf(large, 'cfo-ok'), 'cfo')).status).toBe(200);
    expect((await run({ amount: 1_000_000 })).status).toBe('success');
    expect((await ask({ amount: 1_000_000 })).length).toBe(2);
  });

  it('is for exactly the parameters that were shown, once, in that session', async () => {
    const w = await world([ASK]);
    const one = await agent(w);
    const two = await agent(w);
    const asked = { to: 'ben', amount: 1, note: 'for tea' };
    await decide(w, idOf(await one.ask(asked)), 'ana');
    for (const other of [
      { ...asked, amount: 2 },
      { ...asked, amount: '1' },
      { ...asked, more: null },
      { to: 'ben', amount: 1 },
      {},
    ]) {
      expect((await one.run(other)).status).toBe('pending_approval');
    }
    expect((await two.run(asked)).status).toBe('pending_approval');
    expect((await one.run(asked, { action_id: 'money.lend' })).status).toBe('pending_approval');
    expect((await one.run({ note: 'for tea', amount: 1, to: 'ben' })).status).toBe('success');
    expect((await one.run(asked)).status).toBe('pending_approval');
  });

  it('is spent once however many executes race for it', async () => {
    const w = await world([ASK]);
    const { run, ask } = await agent(w);
    const id = idOf(await ask({ n: 1 }));
    await decide(w, id, 'ana');
    const raced = await Promise.all(Array.from({ length: 8 }, () => run({ n: 1 })));
    const statuses = raced.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(7).fill('pending_approval'), 'success']);
    const { items } = (await w.send('GET', '/v1/grants?all=true', undefined, { as: 'ana' })).body;
    expect(items.filter(({ approval_id }: Waiting) => approval_id === id)).toMatchObject([{ uses: 1 }]);
  });

  it('cannot be used twice even by a writer that forgot to ask: the store refuses', async () => {
    const w = await world([ASK]);
    const { run, ask } = await agent(w);
    const id = idOf(await ask());
    await decide(w, id, 'ana');
    await run();
    const again = (single: number) =>
      w.db.write((uow) =>
        uow.run(
          `insert into governance_grant_uses (used_by, atlas_id, policy_id, approval_id, single, used_us)
           values ('forged', 'com.example.test', 'ask', ?, ?, 1)`,
          [id, single],
        ),
      );
    await expect(again(1)).rejects.toThrow();
    // Nor by calling it a grant for many calls.
    await expect(again(0)).rejects.toThrow();
  });

  it('is not spent by a replay with the same idempotency key, nor by a call that a limit refuses', async () => {
    const w = await world([
      ASK,
      { policy_id: 'slow', type: 'rate_limit', parameters: { max_calls: 1, window_seconds: 60 } },
    ]);
    const { run, ask } = await agent(w);
    const key = { idempotency_key: 'once' };
    await decide(w, idOf(await ask({ n: 1 })), 'ana');
    const first = await run({ n: 1 }, key);
    expect(first.status).toBe('success');
    await decide(w, idOf(await ask({ n: 1 })), 'ana');
    expect((await run({ n: 1 }, key)).execution_id).toBe(first.execution_id);
    expect((await run({ n: 1 })).error.code).toBe('RATE_LIMIT_EXCEEDED');
    w.clock.advance({ seconds: 61 });
    expect((await run({ n: 1 })).status).toBe('success');
    w.clock.advance({ seconds: 61 });
    expect((await run({ n: 1 })).status).toBe('pending_approval');
  });

  it('ends with the Atlas version that asked, and an outdated question can only be rejected', async () => {
    const w = await world([ASK]);
    const { run, ask } = await agent(w);
    await decide(w, idOf(await ask({ n: 1 })), 'ana');
    const stale = idOf(await ask({ n: 2 }));
    const next = manifestOf({ version: '1.0.1', actions: ACTIONS, policies: [ASK] });
    expect((await w.load(next)).status).toBe(201);
    expect((await run({ n: 1 })).status).toBe('pending_approval');
    expect(await decide(w, stale, 'ana')).toMatchObject({
      status: 409,
      body: { error: { code: 'APPROVAL_OUTDATED' } },
    });
    expect((await decide(w, stale, 'ana', { decision: 'reject' })).status).toBe(200);
  });

  it('holds for no higher risk than the person was told of', async () => {
    const w = await world([ASK]);
    const { run, ask } = await agent(w);
    await decide(w, idOf(await ask({ n: 1 })), 'ana');
    const critical = { task: { goal: 'Do the work', risk_tier: 'critical' } };
    expect((await run({ n: 1 }, {}, critical)).status).toBe('pending_approval');
    expect((await run({ n: 1 })).status).toBe('success');
  });

  describe('that covers more than one call', () => {
    const covering = (covers: string, more: object = {}): Policy => ({
      ...ASK,
      parameters: { covers, ...more },
    });

    it('is offered only as far as the policy permits, in words, and never as a rule for a high risk', async () => {
      const w = await world([covering('rule')]);
      const { ask } = await agent(w);
      const choices = async (id: string) =>
        (await w.send('GET', `/v1/approvals/${id}`)).body.choices.map((each: { id: string }) => each.id);
      const low = idOf(await ask({ n: 1 }));
      expect(await choices(low)).toEqual(['call', 'session', 'rule']);
      const item = await w.db.read((reader) => w.inbox.get(reader, low));
      expect(item?.choices.map(({ words }) => words)).toEqual([
        'This call of money.pay, once, with exactly these parameters',
        'Every call of money.pay in this session until it expires, also with other parameters',
        'A rule: every call of money.pay by bot, in every session, also with other parameters, until it is revoked or the Atlas changes',
      ]);
      const high = idOf(await ask({ n: 1 }, { action_id: 'money.burn' }));
      expect(await choices(high)).toEqual(['call', 'session']);
      expect(await decide(w, high, 'ana', { covers: 'rule' })).toMatchObject({
        status: 400,
        body: { error: { code: 'UNKNOWN_CHOICE', details: { choices: ['call', 'session'] } } },
      });
      const plain = await world([ASK]);
      const asked = idOf(await (await agent(plain)).ask());
      expect((await decide(plain, asked, 'ana', { covers: 'session' })).status).toBe(400);
      expect((await decide(plain, asked, 'ana', { decision: 'reject', covers: 'call' })).status).toBe(400);
    });

    it('is still for one call if the person chooses nothing', async () => {
      const w = await world([covering('session')]);
      const { run, ask } = await agent(w);
      await decide(w, idOf(await ask({ n: 1 })), 'ana');
      expect((await run({ n: 1 })).status).toBe('success');
      expect((await run({ n: 1 })).status).toBe('pending_approval');
    });

    it('of the session: every call of the action in it, none in another, none after it expires', async () => {
      const w = await world([covering('session')]);
      const { run, ask } = await agent(w);
      expect((await decide(w, idOf(await ask({ n: 1 })), 'ana', { covers: 'session' })).body.covers).toBe(
        'session',
      );
      for (const n of [1, 2, 2]) expect((await run({ n })).status).toBe('success');
      expect((await run({}, { action_id: 'money.lend' })).status).toBe('pending_approval');
      expect((await (await agent(w)).run({ n: 1 })).status).toBe('pending_approval');
      w.clock.advance({ seconds: 3600 });
      const later = await agent(w);
      expect((await later.run({ n: 1 })).status).toBe('pending_approval');
    });

    it('lets only the listed parameters differ', async () => {
      const w = await world([covering('session', { may_differ: ['note', '/to/street'] })]);
      const { run, ask } = await agent(w);
      const asked = { amount: 1, note: 'a', to: { name: 'ben', street: 'Low' } };
      const id = idOf(await ask(asked));
      expect((await w.send('GET', `/v1/approvals/${id}`)).body.allows).toBe(
        'This call of money.pay, once, with these parameters, of which only note and /to/street may differ',
      );
      // The same but for what may differ is the same question.
      expect(idOf(await ask({ ...asked, note: 'b' }))).toBe(id);
      await decide(w, id, 'ana', { covers: 'session' });
      expect((await run({ ...asked, note: 'c' })).status).toBe('success');
      expect((await run({ amount: 1, to: { name: 'ben', street: 'High' } })).status).toBe('success');
      expect((await run({ ...asked, amount: 2 })).status).toBe('pending_approval');
      expect((await run({ ...asked, to: { name: 'eve', street: 'Low' } })).status).toBe('pending_approval');
      expect((await run({ ...asked, to: 'Low' })).status).toBe('pending_approval');
    });

    it('as a rule holds in every session of that agent until a person revokes it', async () => {
      const w = await world([covering('rule')]);
      const { ask } = await agent(w);
      const id = idOf(await ask({ n: 1 }));
      await decide(w, id, 'ana', { covers: 'rule' });
      expect((await (await agent(w)).run({ n: 2 })).status).toBe('success');
      w.clock.advance({ seconds: 90_000 });
      const late = await agent(w);
      expect((await late.run({ n: 3 })).status).toBe('success');
      const listed = (await w.send('GET', '/v1/grants?covers=rule', undefined, { as: 'ana' })).body;
      expect(listed).toMatchObject({
        total: 1,
        items: [{ approval_id: id, session_id: null, granted_by: 'ana', expires_at: null, uses: 2 }],
      });
      const revoke = (as: Who) => w.send('POST', `/v1/approvals/${id}/revoke`, {}, { as });
      expect((await revoke('bot')).status).toBe(403);
      expect((await revoke('ben')).body).toMatchObject({ revoked_by: 'ben' });
      expect((await revoke('ana')).body).toMatchObject({ revoked_by: 'ben' });
      expect((await late.run({ n: 4 })).status).toBe('pending_approval');
      expect((await w.send('GET', '/v1/grants?covers=rule')).body.total).toBe(0);
    });
  });

  describe('by whoever asked', () => {
    it('is refused: a human key that asked in the name of an agent cannot approve', async () => {
      const w = await world([ASK]);
      const { ask, run } = await agent(w, 'relayer');
      const id = idOf(await ask({ n: 1 }));
      expect((await decide(w, id, 'relayer')).body.error.code).toBe('SELF_APPROVAL');
      const item = await w.db.read((reader) => w.inbox.get(reader, id));
      expect(item).toMatchObject({
        requestedBy: { id: 'relayer', type: 'human' },
        requestedFor: { id: 'bot', type: 'agent' },
      });
      expect((await decide(w, id, 'ben')).status).toBe(200);
      expect((await run({ n: 1 })).status).toBe('success');
    });

    it('is refused also where another had asked the same before: each asker has a question of its own', async () => {
      const w = await world([ASK]);
      const bot = await agent(w);
      const first = idOf(await bot.ask({ n: 1 }));
      const call = { resolution_id: bot.resolution_id, action_id: 'money.pay', parameters: { n: 1 } };
      const { error } = (await w.execute(bot.session, call, {}, 'relayer')).body;
      const second: string = error.details.approval_id;
      expect(second).not.toBe(first);
      expect((await decide(w, second, 'relayer')).body.error.code).toBe('SELF_APPROVAL');
      const again = await w.send('POST', `/v1/approvals/${first}/ask`, {}, { as: 'relayer' });
      expect(again.body).toMatchObject({ approval_id: second, requested_by: 'relayer' });
    });

    it('lets no call of theirs pass, even where they granted it as a rule to the agent they speak for', async () => {
      const w = await world([{ ...ASK, parameters: { covers: 'rule' } }]);
      const own = await agent(w, 'relayer');
      const waiting = idOf(await own.ask({ n: 1 }));
      const bot = await agent(w);
      await decide(w, idOf(await bot.ask({ n: 1 })), 'relayer', { covers: 'rule' });
      expect((await bot.run({ n: 2 })).status).toBe('success');
      expect((await own.run({ n: 1 })).status).toBe('pending_approval');
      expect((await w.send('GET', `/v1/approvals/${waiting}`)).body.status).toBe('pending');
    });
  });

  it('needs no second opinion where the Atlas only logs', async () => {
    const w = await world([ALLOW]);
    const policies = [ASK];
    await w.load(manifestOf({ version: '1.0.1', actions: ACTIONS, policies }), 'log_only');
    const { run } = await agent(w);
    expect((await run({ n: 1 })).status).toBe('success');
  });
});
