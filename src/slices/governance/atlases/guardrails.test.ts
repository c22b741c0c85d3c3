import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { ALLOW, echo, openWorld, type Who, type World, worldMigrations } from '../testing/world.ts';
import type { Policy } from './schema.ts';

const APP = 'com.team.app';
const RAILS = 'org.guard.rails';
const NO_DELETE: Policy = { policy_id: 'no-delete', type: 'deny', actions: ['*.delete'] };

describeOnEachEngine('guardrails', (open) => {
  const app = (parts: object = {}) =>
    manifestOf({
      atlas_id: APP,
      actions: [actionOf('row.read', echo), actionOf('row.delete', echo)],
      policies: [ALLOW],
      ...parts,
    });
  const rails = (parts: object = {}) => manifestOf({ atlas_id: RAILS, policies: [NO_DELETE], ...parts });
  const world = async () => openWorld(await open(worldMigrations));
  const put = (w: World, manifest: object, query = '', as: Who = 'ana') =>
    w.send('POST', `/v1/atlases${query}`, manifest, { as });
  const code = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) =>
    body?.error?.code ?? status;

  /** What the agent may do if it names only its own Atlas. */
  async function narrowed(w: World) {
    const session = await w.start();
    const { body } = await w.resolve(session, { atlas_ids: [APP] });
    const run = async (action_id: string) => {
      const done = await w.execute(session, { resolution_id: body.resolution_id, action_id });
      return done.body.status ?? done.body.error?.code;
    };
    return {
      actions: body.allowed_actions.map((each: { action_id: string }) => each.action_id),
      denied: body.denied_actions,
      context: body.context_blocks,
      runs: { read: await run('row.read'), delete: await run('row.delete') },
      session,
    };
  }

  it('hold whichever Atlases a request names, and offer nothing of their own there', async () => {
    const w = await world();
    await put(
      w,
      rails({ actions: [actionOf('org.audit', echo)], policies: [NO_DELETE, ALLOW] }),
      '?guardrail=true',
    );
    await put(w, app());
    const seen = await narrowed(w);
    expect(seen.actions).toEqual(['row.read']);
    expect(seen.denied).toMatchObject([{ action_id: 'row.delete', policy_id: 'no-delete' }]);
    expect(seen.runs).toEqual({ read: 'success', delete: 'denied' });
    const [received] = (await w.trace(seen.session)).filter(
      ({ event_type }) => event_type === 'carp.request.received',
    );
    expect(received?.payload.atlas_ids).toEqual([APP]);
    const replay = await w.send('POST', `/v1/traces/${seen.session}/replay`, {}, { as: 'ana' });
    expect(replay.body.deterministic).toBe(true);
    expect((await w.send('GET', '/v1/atlases')).body).toMatchObject([
      { guardrail: true },
      { guardrail: false },
    ]);
  });

  it('take hold of a resolution that was made before them', async () => {
    const w = await world();
    await put(w, app());
    const session = await w.start();
    const { body } = await w.resolve(session, { atlas_ids: [APP] });
    await put(w, rails(), '?guardrail=true');
    const done = await w.execute(session, { resolution_id: body.resolution_id, action_id: 'row.delete' });
    expect(done.body.status).toBe('denied');
  });

  it('come along as what an Atlas depends on', async () => {
    const w = await world();
    await put(w, rails());
    await put(w, app({ dependencies: { [RAILS]: '^1.0.0' } }));
    expect((await narrowed(w)).runs).toEqual({ read: 'success', delete: 'denied' });
    expect(code(await put(w, rails({ version: '0.9.0' })))).toBe('ATLAS_IN_USE');
    expect(code(await w.send('DELETE', `/v1/atlases/${RAILS}`, undefined, { as: 'ana' }))).toBe(
      'ATLAS_IN_USE',
    );
  });

  it('leave unrelated Atlases to be named or not, as before', async () => {
    const w = await world();
    await put(w, rails());
    await put(w, app());
    expect((await narrowed(w)).runs).toEqual({ read: 'success', delete: 'success' });
  });

  it('are set, changed and ended by people alone', async () => {
    const w = await world();
    await put(w, app());
    expect(code(await put(w, rails(), '?guardrail=true', 'bot'))).toBe('GUARDRAIL_PROTECTED');
    expect(code(await put(w, rails(), '?guardrail=true'))).toBe(201);
    const weaker = rails({ version: '1.1.0', policies: [] });
    expect(code(await put(w, weaker, '', 'bot'))).toBe('GUARDRAIL_PROTECTED');
    expect(code(await put(w, weaker, '?guardrail=false', 'bot'))).toBe('GUARDRAIL_PROTECTED');
    expect(code(await put(w, rails({ version: '1.1.0' }), '?mode=log_only', 'bot'))).toBe(
      'GUARDRAIL_PROTECTED',
    );
    expect(code(await w.send('DELETE', `/v1/atlases/${RAILS}`, undefined, { as: 'bot' }))).toBe(
      'GUARDRAIL_PROTECTED',
    );
    const next = await put(w, rails({ version: '1.1.0' }));
    expect(next.body).toMatchObject({ version: '1.1.0', guardrail: true });
    expect((await put(w, rails({ version: '1.1.0' }), '?guardrail=false')).body.guardrail).toBe(false);
    expect((await narrowed(w)).runs.delete).toBe('success');
  });

  it('keep what they depend on in the hands of people, too', async () => {
    const w = await world();
    const base = (parts: object = {}) =>
      manifestOf({ atlas_id: 'org.guard.base', policies: [NO_DELETE], ...parts });
    await put(w, base());
    await put(w, rails({ policies: [], dependencies: { 'org.guard.base': '*' } }), '?guardrail=true');
    await put(w, app());
    expect((await narrowed(w)).runs.delete).toBe('denied');
    const weaker = base({ version: '1.1.0', policies: [] });
    expect(code(await put(w, weaker, '', 'bot'))).toBe('GUARDRAIL_PROTECTED');
    expect(code(await put(w, weaker))).toBe(201);
    expect((await narrowed(w)).runs.delete).toBe('success');
  });

  it('hold for an Atlas that only logs', async () => {
    const w = await world();
    const ask: Policy = { policy_id: 'ask', type: 'require_approval', actions: ['row.ask'] };
    const rate: Policy = {
      policy_id: 'once',
      type: 'rate_limit',
      actions: ['row.read'],
      parameters: { max_calls: 1, window_seconds: 60 },
    };
    await put(w, rails({ policies: [NO_DELETE, ask, rate] }), '?guardrail=true');
    const own: Policy = { policy_id: 'own', type: 'deny', actions: ['row.own'] };
    const actions = ['row.read', 'row.delete', 'row.ask', 'row.own'].map((id) => actionOf(id, echo));
    await put(w, app({ actions, policies: [ALLOW, own] }), '?mode=log_only', 'bot');
    const session = await w.start();
    const { body } = await w.resolve(session, { atlas_ids: [APP] });
    const run = async (action_id: string) =>
      (await w.execute(session, { resolution_id: body.resolution_id, action_id })).body.status;
    expect(body.denied_actions).toMatchObject([{ action_id: 'row.delete', policy_id: 'no-delete' }]);
    expect(await run('row.delete')).toBe('denied');
    expect(await run('row.ask')).toBe('pending_approval');
    expect([await run('row.read'), await run('row.read')]).toEqual(['success', 'denied']);
    expect(await run('row.own')).toBe('success');
    const replay = await w.send('POST', `/v1/traces/${session}/replay`, {}, { as: 'ana' });
    expect(replay.body.deterministic).toBe(true);
  });

  it('ask for nothing that the action’s own Atlas does not offer', async () => {
    const w = await world();
    const ask: Policy = { policy_id: 'ask', type: 'require_approval' };
    await put(w, rails({ policies: [ask] }), '?guardrail=true');
    await put(w, app({ policies: [{ policy_id: 'look', type: 'allow', actions: ['row.read'] }] }));
    const seen = await narrowed(w);
    expect(seen.runs).toEqual({ read: 'pending_approval', delete: 'denied' });
    expect(seen.denied).toMatchObject([{ action_id: 'row.delete', policy_id: 'default-deny' }]);
  });

  it('say when a version number is too small a step, or refuse it by a setting', async () => {
    const w = await world();
    await put(w, app());
    const stricter = app({ version: '1.0.1', policies: [ALLOW, { ...NO_DELETE, policy_id: 'no' }] });
    expect((await put(w, stricter)).body.warnings).toContain(
      '1.0.1 is too small a step from 1.0.0 for a major change: row.delete goes from allow to deny',
    );
    expect((await put(w, app({ version: '2.0.0', description: 'Other words' }))).body).not.toHaveProperty(
      'warnings',
    );
    const strict = await openWorld(await open(worldMigrations), { settings: { strictVersions: true } });
    await put(strict, app());
    expect(code(await put(strict, stricter))).toBe('VERSION_TOO_SMALL');
    expect(code(await put(strict, app({ ...stricter, version: '2.0.0' })))).toBe(201);
  });

  it('say when an older version takes the place of a newer one', async () => {
    const w = await world();
    await put(w, app({ version: '2.0.0' }));
    expect((await put(w, app({ version: '1.0.0' }))).body.warnings).toContain(
      '1.0.0 replaces 2.0.0, which is not an older version',
    );
  });
});
