/** A rule that several people have to agree to. */
import { expect, it } from 'vitest';
import { readJson } from '../../../kernel/json/reader.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { openWorld, people, type Who, type World, worldMigrations } from '../testing/world.ts';

const POLICY = {
  policy_id: 'two',
  type: 'require_approval' as const,
  parameters: { approvers: ['ana', 'ben', 'cfo'], quorum: 2, covers: 'session' },
};

describeOnEachEngine('a quorum of approvers', (open) => {
  async function world(): Promise<World> {
    const w = await openWorld(await open(worldMigrations));
    const manifest = manifestOf({
      actions: [actionOf('vault.open', { executor: 'echo' })],
      policies: [POLICY],
    });
    expect((await w.load(manifest)).status).toBe(201);
    return w;
  }

  async function asked(w: World) {
    const session = await w.start();
    const { body } = await w.resolve(session);
    const run = async () =>
      (
        await w.execute(session, {
          resolution_id: body.resolution_id,
          action_id: 'vault.open',
          parameters: { door: 1 },
        })
      ).body;
    expect((await run()).status).toBe('pending_approval');
    const list = await w.send('GET', '/v1/approvals?status=pending', undefined, { as: 'ana' });
    return { run, id: list.body.items[0].approval_id as string };
  }

  const decide = (w: World, id: string, as: Who, body: object = {}) =>
    w.send('POST', `/v1/approvals/${id}`, { decision: 'approve', ...body }, { as });

  it('cannot be changed by the last one to agree: the others saw other parameters', async () => {
    const w = await world();
    const { id, run } = await asked(w);
    await decide(w, id, 'ana');
    const item = await w.db.read((reader) => w.inbox.get(reader, id));
    expect(item).toMatchObject({ editsAllowed: false, quorum: 2 });
    const edits = readJson('{"parameters":{"door":7}}');
    const decision = {
      itemId: id,
      decision: 'approve_with_edits',
      digest: item?.digest ?? '',
      edits,
    } as const;
    await expect(
      w.db.write((uow) => w.inbox.decide(uow, { ...decision, principal: people.ben })),
    ).rejects.toMatchObject({ code: 'edits_not_allowed' });
    expect((await run()).status).toBe('pending_approval');
  });

  it('lets a call run only once different people have agreed, and grants the least that one of them chose', async () => {
    const w = await world();
    const { run, id } = await asked(w);
    const first = await decide(w, id, 'ana', { covers: 'session' });
    expect(first.body).toMatchObject({ status: 'pending', quorum: 2, agreed_by: ['ana'], approver: null });
    expect((await run()).status).toBe('pending_approval');
    // Nobody is two people.
    expect((await decide(w, id, 'ana', { covers: 'session' })).body).toMatchObject({ agreed_by: ['ana'] });
    expect((await run()).status).toBe('pending_approval');
    expect((await decide(w, id, 'lead-1')).status).toBe(403);
    const second = await decide(w, id, 'ben', { covers: 'call' });
    expect(second.body).toMatchObject({
      status: 'approved',
      covers: 'call',
      approver: 'ben',
      agreed_by: ['ana'],
    });
    expect((await run()).status).toBe('success');
    expect((await run()).status).toBe('pending_approval');
    const events = await w.db.read((reader) =>
      reader.all<{ event_type: string; payload: string }>(
        `select event_type, payload from events where event_type in ('inbox.agreed', 'inbox.decided', 'approval.spent')
         order by seq`,
        [],
      ),
    );
    expect(events.map(({ event_type: type, payload }) => [type, JSON.parse(payload).agreed_by])).toEqual([
      ['inbox.agreed', 'ana'],
      ['inbox.decided', ['ana']],
      ['approval.spent', ['ana']],
    ]);
  });

  it('is refused by one', async () => {
    const w = await world();
    const { run, id } = await asked(w);
    await decide(w, id, 'ana');
    expect((await decide(w, id, 'ben', { decision: 'reject' })).body).toMatchObject({ status: 'rejected' });
    expect((await decide(w, id, 'cfo')).status).toBe(409);
    expect((await run()).status).not.toBe('success');
  });

  it('never has more people than there are', async () => {
    const w = await world();
    const parameters = { approvers: ['ana', 'ben'], quorum: 3 };
    const { status, body } = await w.load(
      manifestOf({
        version: '2.0.0',
        actions: [actionOf('vault.open')],
        policies: [{ ...POLICY, parameters }],
      }),
    );
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('Must be at most 2');
  });
});
