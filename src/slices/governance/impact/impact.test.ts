import { expect, it } from 'vitest';
import { seededRandom } from '../../../platform/testing.ts';
import { plainPayloads } from '../../../spine/journal/events/payload-codec.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { AtlasManifest, Policy } from '../atlases/schema.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { openWorld, type World, worldMigrations } from '../testing/world.ts';
import { createOracle, type MadeCall, type Terms } from './testing/refund-oracle.ts';

const LONG = process.env.BATON_PROVE === '1';
const MINUTE = 60_000_000;

/** An Atlas of refunds, as the oracle reads it. */
function refunds(version: string, terms: Terms): AtlasManifest {
  const { most, askAbove, without, rate, pot } = terms;
  const policies: Policy[] = [
    { policy_id: 'look', type: 'allow', actions: ['order.read'] },
    {
      policy_id: 'small',
      type: 'allow',
      actions: ['order.refund'],
      parameters: { when: { amount: { lte: most } } },
    },
    {
      policy_id: 'country',
      type: 'deny',
      actions: ['order.refund'],
      parameters: { when: { country: { eq: without } } },
    },
    {
      policy_id: 'ask',
      type: 'require_approval',
      actions: ['order.refund'],
      parameters: { when: { amount: { gt: askAbove } } },
    },
    {
      policy_id: 'rate',
      type: 'rate_limit',
      actions: ['order.read'],
      parameters: { max_calls: rate, window_seconds: 600 },
    },
    {
      policy_id: 'pot',
      type: 'budget',
      actions: ['order.refund'],
      parameters: {
        limit: pot.limit,
        cost_field: 'amount',
        scope: 'global',
        refundable: pot.refundable,
        ...(pot.windowSeconds !== undefined && { window_seconds: pot.windowSeconds }),
      },
    },
  ];
  const schema = {
    type: 'object',
    properties: { amount: { type: 'integer', maximum: terms.maximum }, country: { type: 'string' } },
    required: ['amount', 'country'],
  };
  return manifestOf({
    version,
    actions: [
      actionOf('order.read', { executor: 'echo' }),
      actionOf('order.refund', { executor: 'flaky', parameters_schema: schema }),
    ],
    policies,
  });
}

interface ChangedCall {
  readonly action_id: string;
  readonly parameters: { readonly amount: number };
  readonly before: { readonly effect: string };
  readonly after: { readonly effect: string };
}

const BASE: Terms = {
  most: 100,
  askAbove: 60,
  without: 'XX',
  rate: 3,
  pot: { limit: 2_000, windowSeconds: 3600, refundable: true },
  maximum: 1_000,
};

describeOnEachEngine('the impact of a new version', (open) => {
  async function world(): Promise<World> {
    const opened = await openWorld(await open(worldMigrations));
    opened.executors.register('flaky', async ({ parameters }) => {
      if (Number(parameters.amount) % 7 === 0) throw new Error('the bank is closed');
      return {};
    });
    return opened;
  }
  const ask = (w: World, manifest: object, query = '') =>
    w.send('POST', `/v1/atlases/impact?limit=1000${query}`, manifest, { as: 'ana' });

  it('is what an independent reader of the rules finds, call by call', async () => {
    const total = LONG ? (open.engine === 'sqlite' ? 10_000 : 2_000) : open.engine === 'sqlite' ? 150 : 60;
    const random = seededRandom(5);
    const pick = (below: number) => random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) % below;
    const w = await world();
    const versions: Terms[] = [
      BASE,
      { ...BASE, most: 70, askAbove: 50, rate: 2 },
      { ...BASE, without: 'YY', pot: { limit: 900, windowSeconds: undefined, refundable: false } },
    ];
    const made: MadeCall[] = [];
    for (const [at, terms] of versions.entries()) {
      expect((await w.load(refunds(`1.${at}.0`, terms))).status).toBe(201);
      const session = await w.start();
      const end = Math.floor((total * (at + 1)) / versions.length);
      while (made.length < end) {
        w.clock.advance({ micros: MINUTE * (1 + pick(4)) });
        const country = ['DE', 'XX', 'YY'][pick(3)] as string;
        const parameters = { amount: pick(120), country };
        const action = pick(3) === 0 ? 'order.read' : 'order.refund';
        const send = async () => {
          // A resolution is good for an hour.
          const { body } = await w.resolve(session);
          const call = { resolution_id: body.resolution_id, action_id: action, parameters };
          const { status } = (await w.execute(session, call)).body;
          const admitted = status !== 'pending_approval';
          made.push({ action, ...parameters, at: w.clock.now(), terms, admitted });
          return admitted;
        };
        if ((await send()) || pick(4) > 0 || made.length === end) continue;
        const { body } = await w.send('GET', '/v1/approvals?status=pending', undefined, { as: 'ana' });
        for (const { approval_id } of body.items) {
          await w.send('POST', `/v1/approvals/${approval_id}`, { decision: 'approve' }, { as: 'ana' });
        }
        w.clock.advance({ micros: MINUTE });
        await send();
      }
    }
    const oracle = createOracle(made);
    const candidates: Terms[] = [
      ...versions,
      { ...BASE, most: 99 },
      { ...BASE, pot: { ...BASE.pot, limit: 300 } },
      { ...BASE, rate: 1, maximum: 80 },
    ];
    for (const [at, terms] of candidates.entries()) {
      const { status, body } = await ask(w, refunds(`3.${at}.0`, terms));
      expect(status).toBe(200);
      const expected = oracle.changes(terms);
      expect({ at, calls: body.calls, skips: body.skips }).toEqual({ at, calls: made.length, skips: [] });
      const listed = body.changed.filter((each: { kind: string }) => each.kind === 'call');
      const count = (body.summary as { calls: number }[]).reduce((sum, each) => sum + each.calls, 0);
      if (listed.length === 1000) {
        expect(count).toBe(expected.length);
        continue;
      }
      expect(
        listed.map(({ action_id, parameters, before, after }: ChangedCall) => ({
          action: action_id,
          amount: parameters.amount,
          before: before.effect,
          after: after.effect,
        })),
      ).toEqual(expected);
    }
  });

  it('names the calls that change, with their parameters, for those who may see them', async () => {
    const w = await world();
    await w.load(refunds('1.0.0', BASE));
    const session = await w.start();
    const { body } = await w.resolve(session);
    const call = { resolution_id: body.resolution_id, action_id: 'order.refund' };
    await w.execute(session, { ...call, parameters: { amount: 50, country: 'DE' } });
    await w.execute(session, { ...call, parameters: { amount: 10, country: 'DE' } });
    const next = refunds('1.1.0', { ...BASE, most: 40 });
    expect((await ask(w, next)).body).toMatchObject({
      calls: 2,
      changed_count: 1,
      changed: [
        {
          kind: 'call',
          session_id: session,
          action_id: 'order.refund',
          parameters: { amount: 50, country: 'DE' },
          before: { effect: 'allow', policy_id: 'small' },
          after: { effect: 'deny', policy_id: 'default-deny' },
        },
      ],
      summary: [{ action_id: 'order.refund', before: 'allow', after: 'deny', calls: 1, offers: 0 }],
      skipped: 0,
    });
    const other = await w.send('POST', '/v1/atlases/impact', next, { as: 'rival' });
    expect(other.body.changed_count).toBe(1);
    expect(other.body.changed[0]).not.toHaveProperty('parameters');
    expect((await w.send('POST', '/v1/atlases/impact', next, { as: 'stranger' })).body.calls).toBe(0);
    expect((await ask(w, next, `&session_id=${await w.start()}`)).body).toMatchObject({ calls: 0 });
    w.clock.advance({ seconds: 48 * 3600 });
    expect((await ask(w, next, '&since=1d')).body).toMatchObject({ calls: 0, decisions: 0 });
    expect((await ask(w, next, '&since=7d')).body).toMatchObject({ calls: 2 });
    expect((await ask(w, next, '&since=lately')).body.error.code).toBe('INVALID_MOMENT');
  });

  it('is asked of rules that would apply to everything, too', async () => {
    const w = await world();
    await w.load(refunds('1.0.0', BASE));
    const session = await w.start();
    const { body } = await w.resolve(session);
    await w.execute(session, { resolution_id: body.resolution_id, action_id: 'order.read' });
    const rails = manifestOf({
      atlas_id: 'org.guard.rails',
      policies: [{ policy_id: 'no-reading', type: 'deny', actions: ['*.read'] }],
    });
    expect((await ask(w, rails)).body).toMatchObject({ decisions: 0, unconcerned: 2, changed_count: 0 });
    expect((await ask(w, rails, '&guardrail=true')).body).toMatchObject({
      calls: 1,
      summary: [{ action_id: 'order.read', before: 'allow', after: 'deny', calls: 1, offers: 1 }],
    });
  });

  it('says what it could not compare', async () => {
    const w = await world();
    await w.load(refunds('1.0.0', BASE));
    const session = await w.start();
    const { body } = await w.resolve(session);
    await w.execute(session, { resolution_id: body.resolution_id, action_id: 'order.read' });
    await w.execute(session, { resolution_id: body.resolution_id, action_id: 'order.read' });
    const spoil = (sql: string) => w.db.write((uow) => uow.run(sql, []));
    await spoil("update governance_inputs set line = '{}'");
    await spoil(`delete from governance_calls where call_id = (select min(call_id) from governance_calls)`);
    expect((await ask(w, refunds('1.1.0', BASE))).body).toMatchObject({
      calls: 1,
      changed_count: 0,
      skipped: 2,
      skips: [
        { reason: 'unreadable', count: 1 },
        { reason: 'parameters_not_recorded', count: 1 },
      ],
    });
  });

  it('reads what was sealed, and nobody else does', async () => {
    const turn = (text: string) => [...text].reverse().join('');
    const sealed = { ...plainPayloads, seal: turn, open: turn };
    const w = await openWorld(await open(worldMigrations), { payloads: sealed });
    await w.load(
      manifestOf({
        actions: [actionOf('a.get', { executor: 'echo' })],
        policies: [{ policy_id: 'all', type: 'allow' }],
      }),
    );
    const session = await w.start();
    const { body } = await w.resolve(session);
    await w.execute(session, {
      resolution_id: body.resolution_id,
      action_id: 'a.get',
      parameters: { pin: 'secret-4711' },
    });
    const rows = await w.db.read((reader) =>
      reader.all<{ line: string }>('select line from governance_calls', []),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.line).not.toContain('secret-4711');
    const next = manifestOf({ version: '2.0.0', actions: [actionOf('a.get')], policies: [] });
    expect((await ask(w, next)).body.changed).toMatchObject([{ parameters: { pin: 'secret-4711' } }, {}]);
  });
});
