import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import {
  ApprovalOracle,
  type Covers,
  type OracleCredential,
  type OraclePolicy,
  type OracleSession,
  TIERS,
  type Tier,
} from '../testing/approval-oracle.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { echo, openWorld, people, type Who, type World, worldMigrations } from '../testing/world.ts';

const ACTIONS = ['x.low', 'x.mid', 'x.high'];
const AGENTS = ['bot', 'rival', 'claude-7', 'cfo', 'dba-1'];
const CALLERS: readonly Who[] = ['bot', 'rival', 'relayer', 'hook', 'bareHook', 'ana'];
const DECIDERS: readonly Who[] = ['ana', 'ben', 'lead-1', 'cfo', 'relayer', 'bot', 'hook'];

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const actionsOf = fc.subarray(ACTIONS, { minLength: 1 });
const agentsOf = fc.constantFrom(['bot'], ['claude-*'], ['bot', 'rival', 'dba-1']);

const randomPolicies = fc.array(
  fc.record({
    type: fc.oneof(
      { weight: 6, arbitrary: fc.constant('require_approval' as const) },
      { weight: 1, arbitrary: fc.constantFrom('allow' as const, 'deny' as const, 'rate_limit' as const) },
    ),
    actions: actionsOf,
    above: some(fc.constantFrom(3, 1000)),
    agents: rarely(agentsOf),
    approvers: some(fc.constantFrom(['lead-*'], ['cfo'], ['ana', 'ben', 'relayer'])),
    covers: some(fc.constantFrom('session' as const, 'rule' as const, 'call' as const)),
    noteMayDiffer: fc.boolean(),
    quorum: fc.constantFrom(1, 1, 1, 2),
    maxCalls: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Mostly everything is allowed but for what asks a person, so that stories get somewhere; sometimes it is limited too. */
const everywhere = {
  actions: ACTIONS,
  above: undefined,
  agents: undefined,
  approvers: undefined,
  covers: undefined,
  noteMayDiffer: false,
  quorum: 1,
};
const policies = fc
  .tuple(randomPolicies, fc.constantFrom(true, true, true, false), some(fc.integer({ min: 1, max: 3 })))
  .map(([random, allowed, maxCalls]): Omit<OraclePolicy, 'id'>[] => [
    ...random,
    ...(allowed ? [{ ...everywhere, type: 'allow' as const, maxCalls: 0 }] : []),
    ...(maxCalls === undefined ? [] : [{ ...everywhere, type: 'rate_limit' as const, maxCalls }]),
  ]);

const tier = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Tier>('low') },
  { weight: 1, arbitrary: fc.constantFrom(...TIERS) },
);
const choice = some(fc.constantFrom<Covers[]>('call', 'action', 'session', 'rule'));

const executes = fc.record({
  do: fc.constant('execute' as const),
  session: fc.nat({ max: 4 }),
  /** Mostly whoever opened the session, in the name that it was opened in. */
  as: rarely(fc.constantFrom(...CALLERS)),
  claims: rarely(fc.constantFrom(...AGENTS)),
  action: fc.constantFrom(...ACTIONS, 'x.low', 'x.mid'),
  amount: fc.constantFrom(1, 2000),
  note: fc.constantFrom('a', 'b'),
  before: tier,
  tier,
  key: rarely(fc.constantFrom('k1', 'k2')),
});
/** The call before once more, as it was or in some respect different. */
const repeats = fc.record({
  do: fc.constant('again' as const),
  session: rarely(fc.nat({ max: 4 })),
  as: rarely(fc.constantFrom(...CALLERS)),
  amount: rarely(fc.constantFrom(1, 2000)),
  note: rarely(fc.constantFrom('a', 'b')),
  tier: rarely(fc.constantFrom(...TIERS)),
});
const decides = fc.record({
  do: fc.constant('decide' as const),
  /** Counted from the newest. */
  approval: fc.nat({ max: 5 }),
  /** Mostly somebody who may. */
  by: some(fc.constantFrom(...DECIDERS)),
  approve: fc.constantFrom(true, true, true, true, false),
  covers: choice,
  approver: rarely(fc.constantFrom('ana', 'cfo')),
});
/** Whoever must agree to the call before agrees, and it is made again. */
const settles = fc.record({ do: fc.constant('settle' as const), widest: fc.boolean() });
const revokes = fc.record({
  do: fc.constant('revoke' as const),
  approval: fc.nat({ max: 5 }),
  by: fc.constantFrom(...DECIDERS),
});
const opens = fc.record({
  do: fc.constant('open' as const),
  as: fc.constantFrom(...CALLERS),
  agent: fc.constantFrom(...AGENTS),
});
const waits = fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(600, 1900, 3601) });

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: opens },
    { weight: 6, arbitrary: executes },
    { weight: 6, arbitrary: repeats },
    { weight: 6, arbitrary: decides },
    { weight: 4, arbitrary: settles },
    { weight: 1, arbitrary: revokes },
    { weight: 1, arbitrary: waits },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
  ),
  { minLength: 6, maxLength: 20 },
);

function policyOf(made: OraclePolicy): Policy {
  const { type } = made;
  const asks = type === 'require_approval';
  return {
    policy_id: made.id,
    type,
    actions: [...made.actions],
    ...(made.agents && { conditions: { agents: [...made.agents] } }),
    parameters: {
      ...(made.above !== undefined && { when: { amount: { gt: made.above } } }),
      ...(asks && made.approvers && { approvers: [...made.approvers] }),
      ...(asks && made.covers && { covers: made.covers }),
      ...(asks && made.noteMayDiffer && { may_differ: ['note'] }),
      ...(asks && made.quorum > 1 && { quorum: made.quorum }),
      ...(type === 'rate_limit' && { max_calls: made.maxCalls, window_seconds: 10_000_000 }),
    },
  };
}

function credentialOf(who: Who): OracleCredential {
  const { actor, speaksFor } = people[who];
  return { actor: actor.id, human: actor.type === 'human', speaksFor };
}

interface Opened extends OracleSession {
  readonly id: string;
  readonly as: Who;
}

type Execute = typeof executes extends fc.Arbitrary<infer T> ? T : never;
type Said = Parameters<ApprovalOracle['decide']>[2];

let cases = 0;
/** What was seen at all, so that a generator that reaches nothing cannot pass. */
const seen = new Map<string, number>();
const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

/** Plays one story against the server and the oracle, and fails where they differ. */
async function play(
  w: World,
  made: readonly Omit<OraclePolicy, 'id'>[],
  story: typeof steps extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  cases += 1;
  // So that the grants of this story are the newest, on the first page of those that can be used.
  w.clock.advance({ seconds: 4000 });
  const atlasId = `com.example.case${cases}`;
  // Rules on parameters that grant would hold before the parameters are known; that is another test's subject.
  const known = made.map((each, at) => ({
    ...each,
    id: `p${at}`,
    above: each.type === 'allow' ? undefined : each.above,
    // Of one person nobody can ask that two of them agree.
    quorum: each.approvers?.length === 1 && !each.approvers[0]?.includes('*') ? 1 : each.quorum,
  }));
  const oracle = new ApprovalOracle(known);
  const sessions: Opened[] = [];
  let last: { readonly step: Execute; readonly approvals: readonly string[] } | undefined;
  const load = async () => {
    oracle.version += 1;
    const actions = ACTIONS.map((id, at) =>
      actionOf(id, { ...echo, risk_tier: TIERS[at] as Tier, description: `Of case ${cases}` }),
    );
    const manifest = {
      atlas_id: atlasId,
      version: `1.0.${oracle.version}`,
      actions,
      policies: known.map(policyOf),
    };
    const loaded = await w.load(manifestOf(manifest));
    expect(loaded.status).toBe(201);
  };
  const start = w.clock.now();
  const pass = () => {
    oracle.now = (w.clock.now() - start) / 1_000_000;
  };

  async function open(as: Who, agent: string) {
    const { status, body } = await w.send('POST', '/v1/sessions', { agent_id: agent, goal: 'g' }, { as });
    const credential = credentialOf(as);
    expect([as, agent, status]).toEqual([as, agent, oracle.mayOpen(credential, agent) ? 201 : 403]);
    if (status === 201) sessions.push({ id: body.session_id, agent, owner: credential.actor, as });
  }

  async function execute(step: Execute) {
    last = { step, approvals: [] };
    const session = sessions[step.session % Math.max(1, sessions.length)];
    if (!session) return;
    // Whoever opened the session resolves; the lies are in the call.
    const requester = { agent_id: session.agent, session_id: session.id };
    const task = { goal: 'g', risk_tier: step.before };
    const resolved = await w.resolve(session.id, { requester, task }, session.as);
    expect(resolved.status).toBe(200);
    for (const { type, constraint_id, parameters } of resolved.body.constraints) {
      if (type !== 'require_approval') continue;
      const { approval_id, action_ids } = parameters;
      const asker = credentialOf(session.as).actor;
      const fault = oracle.offered(approval_id, constraint_id, action_ids, step.before, asker, session);
      expect([constraint_id, fault]).toEqual([constraint_id, undefined]);
    }
    const as = step.as ?? session.as;
    const claimed = step.claims ?? session.agent;
    const { action, amount, note } = step;
    const call = { action, amount, note, tier: oracle.tierOf(action, step.before, step.tier) };
    const listed = resolved.body.denied_actions.some(
      (each: { action_id: string }) => each.action_id === action,
    );
    const expected = oracle.execute(credentialOf(as), session, claimed, call, step.key);
    const { status, body } = await w.execute(
      session.id,
      {
        resolution_id: resolved.body.resolution_id,
        action_id: action,
        parameters: { amount, note },
        ...(step.key && { idempotency_key: step.key }),
      },
      {
        requester: { agent_id: claimed, session_id: session.id },
        task: { goal: 'g', risk_tier: step.tier },
      },
      as,
    );
    const approvals: { approval_id: string; policy_id: string }[] = body.error?.details?.approvals ?? [];
    const got =
      body.status === 'pending_approval'
        ? { kind: 'pending', policies: approvals.map(({ policy_id }) => policy_id) }
        : { kind: kindOf(status, body) };
    const wanted =
      expected.kind === 'pending'
        ? expected
        : { kind: expected.kind === 'replay' ? 'success' : expected.kind };
    see(expected.kind);
    if (expected.kind === 'success') {
      for (const covers of expected.by) see(`passed by ${covers}`);
      if (expected.by.length > 1) see('passed by several');
      if (expected.people > 1) see('passed by two people');
    }
    expect({ ...step, listed, ...got }).toEqual({ ...step, listed, ...wanted });
    last = { step, approvals: approvals.map(({ approval_id }) => approval_id) };
    for (const { approval_id, policy_id } of approvals) {
      const fault = oracle.asked(approval_id, policy_id, credentialOf(as).actor, session, call);
      expect([policy_id, fault]).toEqual([policy_id, undefined]);
    }
  }

  async function decide(id: string, by: Who, said: Said) {
    const { approve, covers, approver } = said;
    // No two grants are of the same instant: the older of two that cover a call is spent first.
    w.clock.advance({ seconds: 1 });
    pass();
    const sent = {
      decision: approve ? 'approve' : 'reject',
      ...(covers && { covers }),
      ...(approver && { approver }),
    };
    const { status } = await w.send('POST', `/v1/approvals/${id}`, sent, { as: by });
    expect({ by, ...said, status }).toEqual({
      by,
      ...said,
      status: oracle.decide(id, credentialOf(by), said),
    });
    see(`decided ${status}`);
  }

  const newest = (at: number) => [...oracle.questions.keys()].at(-1 - at);
  const allWhoMay = (id: string) => DECIDERS.filter((who) => oracle.mayDecide(id, credentialOf(who)));
  const whoMay = (id: string) => allWhoMay(id)[0] ?? 'ana';

  async function take(step: (typeof story)[number]) {
    switch (step.do) {
      case 'open':
        return open(step.as, step.agent);
      case 'execute':
        return execute(step);
      case 'again': {
        if (!last) return;
        const { session, as, amount, note, tier: declared } = last.step;
        const changed = {
          session: step.session ?? session,
          as: step.as ?? as,
          amount: step.amount ?? amount,
          note: step.note ?? note,
          tier: step.tier ?? declared,
        };
        return execute({ ...last.step, ...changed });
      }
      case 'settle': {
        if (!last) return;
        const { step: call, approvals } = last;
        for (const id of approvals) {
          const covers = step.widest ? oracle.choicesOf(id).at(-1) : undefined;
          for (const who of allWhoMay(id).slice(0, 2)) {
            if (oracle.questions.get(id)?.state === 'asked')
              await decide(id, who, { approve: true, covers, approver: undefined });
          }
        }
        return execute(call);
      }
      case 'wait':
        return w.clock.advance({ seconds: step.seconds });
      case 'reload':
        return load();
      case 'decide': {
        const id = newest(step.approval);
        return id === undefined ? undefined : decide(id, step.by ?? whoMay(id), step);
      }
      case 'revoke': {
        const id = newest(step.approval);
        if (id === undefined) return;
        const { status } = await w.send('POST', `/v1/approvals/${id}/revoke`, {}, { as: step.by });
        expect({ ...step, status }).toEqual({ ...step, status: oracle.revoke(id, credentialOf(step.by)) });
        see(`revoked ${status}`);
      }
    }
  }

  await load();
  try {
    for (const as of ['bot', 'relayer'] as const) await open(as, 'bot');
    for (const step of story) {
      pass();
      await take(step);
    }
    pass();
    const { items } = (await w.send('GET', '/v1/grants?limit=100', undefined, { as: 'ana' })).body;
    const live = items.filter(({ atlas }: { atlas: { atlas_id: string } }) => atlas.atlas_id === atlasId);
    expect(live.map((each: { approval_id: string }) => each.approval_id).sort()).toEqual(oracle.live());
  } finally {
    for (const { id, as } of sessions) await w.send('DELETE', `/v1/sessions/${id}`, undefined, { as });
    await w.send('DELETE', `/v1/atlases/${atlasId}`);
  }
}

function kindOf(status: number, body: { status?: string; error?: { code?: string } }): string {
  if (body.status === 'success') return 'success';
  if (status === 429) return 'limit';
  if (body.error?.code === 'ACTION_DENIED') return 'deny';
  return body.error?.code === 'SESSION_NOT_OWNED' || body.error?.code === 'IDEMPOTENCY_CONFLICT'
    ? 'lie'
    : `${status} ${body.error?.code}`;
}

describeOnEachEngine('approvals, limits and decisions', (openStore) => {
  // A store for each batch: ten thousand stories in one would measure how it grows.
  const prove = process.env.BATON_PROVE === '1';
  const batches = prove && openStore.engine === 'sqlite' ? 20 : 1;
  const runs = prove ? 500 : openStore.engine === 'postgres' ? 20 : 300;

  async function compare(numRuns: number): Promise<void> {
    const w = await openWorld(await openStore(worldMigrations));
    await fc.assert(
      fc.asyncProperty(policies, steps, (made, story) => play(w, made, story)),
      { numRuns },
    );
  }

  it.each(Array.from({ length: batches }, (_, at) => at + 1))(
    'never differ from an independent oracle, whoever callers say they are (batch %i)',
    () => compare(runs),
  );

  // A generator that cannot reach an outcome must not pass; one that has not yet, by chance, plays on.
  it('were compared in every outcome that there is', async () => {
    const ways = ['call', 'action', 'session', 'rule', 'several', 'two people'];
    const covers = ways.map((each) => `passed by ${each}`);
    const decided = [200, 400, 403, 409, 410].map((status) => `decided ${status}`);
    const outcomes = ['success', 'pending', 'deny', 'limit', 'lie', 'replay', 'revoked 200'];
    const unseen = () => [...outcomes, ...covers, ...decided].filter((what) => !seen.has(what));
    for (let round = 0; unseen().length > 0 && round < 10; round += 1) await compare(100);
    expect(unseen()).toEqual([]);
  });
});
