/** Decisions about messages are shared as long as nothing could change them, and no moment longer. */
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { selectSessionCalls } from '../impact/call-store.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { openWorld, people, worldMigrations } from '../testing/world.ts';

const ASK = { session: 'a2a/c1/bot', goal: 'Speak.', action: 'peer.ask', parameters: { peer: 'writer' } };
const ALLOW: Policy = { policy_id: 'all', type: 'allow' };
const manifest = (policies: Policy[], version = '1.0.0') =>
  manifestOf({ version, actions: [actionOf('peer.ask')], policies });

describeOnEachEngine('shared decisions', (open) => {
  async function opened(policies: Policy[]) {
    const w = await openWorld(await open(worldMigrations));
    await w.load(manifest(policies));
    const check = (question: object = {}) =>
      w.governance.sharedChecks.check(people.bot, { ...ASK, ...question });
    return { w, check };
  }

  it('are made once for the same question, and each call is on record', async () => {
    const { w, check } = await opened([ALLOW]);
    const first = await check();
    expect([first.allowed, first.record]).toEqual([true, undefined]);
    const second = await check();
    expect([second.allowed, second.resolutionId]).toEqual([true, first.resolutionId]);
    await w.db.write(async (uow) => second.record?.(uow));
    const { body } = await w.send('GET', '/v1/sessions', undefined, { as: 'ana' });
    const sessions = (body.sessions ?? body.items ?? body) as { session_id: string }[];
    const calls = await Promise.all(
      sessions.map(({ session_id }) => w.db.read((reader) => selectSessionCalls(reader, session_id))),
    );
    expect(calls.flat()).toHaveLength(2);
    // Of whatever is asked otherwise, nothing is known yet.
    for (const other of [{ parameters: { peer: 'critic' } }, { session: 'a2a/c2/bot' }, { goal: 'Shout.' }])
      expect((await check(other)).record).toBeUndefined();
  });

  it('end with the Atlas that made them', async () => {
    const { w, check } = await opened([ALLOW]);
    await check();
    expect((await check()).record).toBeDefined();
    await w.load(manifest([ALLOW, { policy_id: 'no', type: 'deny', actions: ['peer.ask'] }], '1.1.0'));
    expect((await check()).allowed).toBe(false);
  });

  it('end after a minute', async () => {
    const { w, check } = await opened([ALLOW]);
    await check();
    w.clock.advance({ seconds: 59 });
    expect((await check()).record).toBeDefined();
    w.clock.advance({ seconds: 2 });
    expect((await check()).record).toBeUndefined();
  });

  it.each<[string, Policy[]]>([
    [
      'a limit',
      [ALLOW, { policy_id: 'r', type: 'rate_limit', parameters: { max_calls: 9, window_seconds: 60 } }],
    ],
    ['the clock', [{ ...ALLOW, conditions: { time_window: { start: '00:00', end: '23:59' } } } as Policy]],
    ['a person', [ALLOW, { policy_id: 'p', type: 'require_approval', actions: ['peer.ask'] }]],
    ['nobody: it is denied', [ALLOW, { policy_id: 'n', type: 'deny', actions: ['peer.ask'] }]],
  ])('are none where a rule asks %s', async (_, policies) => {
    const { check } = await opened(policies);
    await check();
    expect((await check()).record).toBeUndefined();
  });
});
