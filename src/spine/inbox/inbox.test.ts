import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../storage/testing.ts';
import type { DecisionWithEdits } from './effect.ts';
import type { InboxItem } from './item.ts';
import { agent, ana, ben, digestFor, inboxTestMigrations, person, testInbox } from './testing.ts';

describeOnEachEngine('the inbox', (open) => {
  async function rig() {
    const inbox = testInbox(await open(inboxTestMigrations));
    const applied: [InboxItem, DecisionWithEdits][] = [];
    inbox.inbox.register('review', {
      apply: 'rows',
      async run(uow, item, made) {
        uow.afterCommit(() => applied.push([item, made]));
      },
    });
    return { ...inbox, applied };
  }

  it('shows what was asked, by whom, by which rule, and of what', async () => {
    const { openItem, item, inbox, db } = await rig();
    const opened = await openItem({ unblocks: [{ type: 'turn', id: 't1' }] });
    expect(await item(opened.itemId)).toEqual(opened);
    expect(opened).toMatchObject({
      state: 'open',
      kind: 'review',
      requestedBy: agent,
      rule: 'package-review',
      humansOnly: true,
      editsAllowed: false,
      unblocks: [{ type: 'turn', id: 't1' }],
      decision: null,
    });
    const list = (filter: object) =>
      db.read((reader) => inbox.list(reader, { projects: 'all', limit: 10, ...filter }));
    expect(await list({ state: 'open', kind: 'review', risk: 'low', requestedBy: 'builder' })).toEqual([
      opened,
    ]);
    expect(await list({ subject: { type: 'package', id: 'pkg_1' } })).toEqual([opened]);
    for (const filter of [
      { kind: 'gate' },
      { risk: 'high' },
      { projects: ['p2'] },
      { projects: [] },
      { from: { key: opened.seq, seq: opened.seq } },
      { state: 'applied' },
    ]) {
      expect(await list(filter)).toEqual([]);
    }
  });

  it('applies an effect of rows in the deciding unit, with the approver from the credential', async () => {
    const { openItem, decide, item, applied, story } = await rig();
    const { itemId, digest } = await openItem();
    const { item: decided, repeated } = await decide({
      itemId,
      decision: 'approve',
      digest,
      principal: ana,
      note: 'fine',
    });
    expect(repeated).toBe(false);
    expect(decided.state).toBe('applied');
    expect(await item(itemId)).toEqual(decided);
    expect(applied).toMatchObject([
      [
        { itemId },
        {
          decision: 'approve',
          decidedBy: { id: 'ana', type: 'human' },
          credential: 'dashboard',
          note: 'fine',
        },
      ],
    ]);
    expect(await story()).toEqual(['inbox.opened', 'inbox.decided', 'inbox.applied']);
  });

  it('brings about a rejection too', async () => {
    const { openItem, decide, applied } = await rig();
    const { itemId, digest } = await openItem();
    await decide({ itemId, decision: 'reject', digest, principal: ana });
    expect(applied).toMatchObject([[{ itemId }, { decision: 'reject' }]]);
  });

  it('answers the first outcome to the same person saying the same again, and 409 to anything else', async () => {
    const { openItem, decide, applied, clock } = await rig();
    const { itemId, digest } = await openItem({ expires: clock.now() + 1_000_000 });
    const yes = { itemId, decision: 'approve', digest, principal: ana } as const;
    const first = await decide(yes);
    clock.advance({ seconds: 60 });
    expect(await decide(yes)).toEqual({ item: first.item, repeated: true });
    const refused = {
      code: 'already_decided',
      status: 409,
      details: { decision: 'approve', decided_by: 'ana' },
    };
    await expect(decide({ ...yes, decision: 'reject' })).rejects.toMatchObject(refused);
    await expect(decide({ ...yes, principal: ben })).rejects.toMatchObject(refused);
    await expect(decide({ ...yes, digest: digestFor({ text: 'other' }) })).rejects.toMatchObject(refused);
    expect(applied.length).toBe(1);
  });

  it('is bound to the digest of what was seen', async () => {
    const { openItem, decide, item } = await rig();
    const { itemId, digest } = await openItem();
    const stale = decide({
      itemId,
      decision: 'approve',
      digest: digestFor({ text: 'seen' }),
      principal: ana,
    });
    await expect(stale).rejects.toMatchObject({
      code: 'stale_digest',
      status: 409,
      pointer: '/digest',
      details: { digest },
    });
    expect((await item(itemId))?.state).toBe('open');
  });

  it('is never decided by whoever asked, and by people only unless the item says otherwise', async () => {
    const { openItem, decide } = await rig();
    const asked = await openItem({ requestedBy: ana.actor });
    const own = decide({ itemId: asked.itemId, decision: 'approve', digest: asked.digest, principal: ana });
    await expect(own).rejects.toMatchObject({ code: 'self_approval', status: 403 });
    const robot = { ...person('checker'), actor: { id: 'checker', type: 'agent' } } as const;
    const byRobot = {
      itemId: asked.itemId,
      decision: 'approve',
      digest: asked.digest,
      principal: robot,
    } as const;
    await expect(decide(byRobot)).rejects.toMatchObject({ code: 'human_required', status: 403 });
    const lenient = await openItem({ subject: { type: 'package', id: 'pkg_2' }, humansOnly: false });
    await expect(decide({ ...byRobot, itemId: lenient.itemId })).resolves.toMatchObject({
      item: { state: 'applied' },
    });
  });

  it.each(['high', 'critical'] as const)(
    'needs a person who is present when the risk is %s',
    async (risk) => {
      const { openItem, decide } = await rig();
      const { itemId, digest } = await openItem({ risk });
      const absent = decide({ itemId, decision: 'approve', digest, principal: person('ana', false) });
      await expect(absent).rejects.toMatchObject({
        code: 'presence_required',
        status: 403,
        next: expect.stringContaining('baton login'),
      });
      await expect(decide({ itemId, decision: 'approve', digest, principal: ana })).resolves.toBeDefined();
    },
  );

  it('asks for presence where the setting says so', async () => {
    const strict = testInbox(await open(inboxTestMigrations), { presenceFor: ['low'] });
    strict.inbox.register('review', { apply: 'rows', run: async () => {} });
    const decideAs = async (risk: 'low' | 'critical', id: string) => {
      const { itemId, digest } = await strict.openItem({ risk, subject: { type: 'package', id } });
      return strict.decide({ itemId, decision: 'approve', digest, principal: person('ana', false) });
    };
    await expect(decideAs('low', 'a')).rejects.toMatchObject({ code: 'presence_required' });
    await expect(decideAs('critical', 'b')).resolves.toBeDefined();
  });

  it('hides what belongs to a project that the credential cannot see', async () => {
    const { openItem, decide } = await rig();
    const { itemId, digest } = await openItem();
    const outsider = { ...ana, projects: ['p2'] };
    await expect(decide({ itemId, decision: 'approve', digest, principal: outsider })).rejects.toMatchObject({
      code: 'item_not_found',
      status: 404,
    });
    await expect(
      decide({ itemId: 'inb_none', decision: 'approve', digest, principal: ana }),
    ).rejects.toMatchObject({
      code: 'item_not_found',
    });
  });

  it('expires at the moment it says, before anybody sweeps it up', async () => {
    const { openItem, decide, clock, inbox, db, item, story } = await rig();
    const { itemId, digest } = await openItem({ expires: clock.now() + 1_000_000 });
    const list = (state: 'open' | 'expired') =>
      db.read((reader) => inbox.list(reader, { projects: 'all', state, limit: 9 }));
    expect((await list('open')).length).toBe(1);
    clock.advance({ seconds: 1 });
    await expect(decide({ itemId, decision: 'approve', digest, principal: ana })).rejects.toMatchObject({
      code: 'item_expired',
      status: 410,
    });
    expect(await list('open')).toEqual([]);
    expect((await list('expired')).length).toBe(1);
    expect(await db.write((uow) => inbox.expireDue(uow))).toBe(1);
    expect(await db.write((uow) => inbox.expireDue(uow))).toBe(0);
    expect((await item(itemId))?.state).toBe('expired');
    expect(await story()).toEqual(['inbox.opened', 'inbox.expired']);
  });

  it('tells the slice that asked of an expiry, in the same unit', async () => {
    const { openItem, clock, inbox, db } = await rig();
    const told: string[] = [];
    inbox.register('approval', {
      apply: 'rows',
      run: async () => {},
      expired: async (_uow, item) => void told.push(item.itemId),
    });
    const { itemId } = await openItem({ kind: 'approval', expires: clock.now() });
    await db.write((uow) => inbox.expireDue(uow));
    expect(told).toEqual([itemId]);
  });

  it('takes edits where the item allows them, hands them to the effect, and keeps only a salted hash', async () => {
    const { openItem, decide, applied, db, item, feed } = await rig();
    const text = 'Ana likes tea';
    const { itemId, digest } = await openItem({ edits: true });
    const edited = {
      itemId,
      decision: 'approve_with_edits',
      digest,
      principal: ana,
      edits: { text },
    } as const;
    await decide(edited);
    expect(applied[0]?.[1].edits).toEqual({ text });
    const hash = (await item(itemId))?.decision?.editsHash;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const rows = await db.read((reader) => reader.all('select * from inbox_items'));
    const { events } = await feed.page({});
    expect(JSON.stringify([rows, events])).not.toContain('tea');
    expect((await decide(edited)).repeated).toBe(true);
    await expect(decide({ ...edited, edits: { text: 'coffee' } })).rejects.toMatchObject({
      code: 'already_decided',
    });
  });

  it('refuses edits that are missing, unasked for or not allowed', async () => {
    const { openItem, decide } = await rig();
    const { itemId, digest } = await openItem();
    const base = { itemId, digest, principal: ana } as const;
    await expect(decide({ ...base, decision: 'approve_with_edits', edits: {} })).rejects.toMatchObject({
      code: 'edits_not_allowed',
    });
    await expect(decide({ ...base, decision: 'approve_with_edits' })).rejects.toMatchObject({
      code: 'edits_missing',
    });
    await expect(decide({ ...base, decision: 'approve', edits: {} })).rejects.toMatchObject({
      code: 'edits_missing',
    });
  });

  it('takes no edits where several have to agree: nobody agreed to what another one writes', async () => {
    const { openItem, decide, item, db } = await rig();
    const { itemId, digest } = await openItem({ edits: true, quorum: 2 });
    expect(await item(itemId)).toMatchObject({ editsAllowed: false, quorum: 2 });
    const edited = { itemId, digest, decision: 'approve_with_edits', edits: { amount: 1_000_000 } } as const;
    // An item of before this rule still says that it can be edited.
    await db.write((uow) => uow.run('update inbox_items set edits_allowed = 1 where item_id = ?', [itemId]));
    await expect(decide({ ...edited, principal: ana })).rejects.toMatchObject({ code: 'edits_not_allowed' });
    await decide({ itemId, digest, decision: 'approve', principal: ana });
    await expect(decide({ ...edited, principal: ben })).rejects.toMatchObject({ code: 'edits_not_allowed' });
    expect((await item(itemId))?.state).toBe('open');
  });

  it('asks the same question once, and lets a changed question take the place of the first', async () => {
    const { openItem, decide, item, story } = await rig();
    const first = await openItem();
    expect((await openItem()).itemId).toBe(first.itemId);
    const second = await openItem({ digest: digestFor({ text: 'second' }) });
    expect(second.itemId).not.toBe(first.itemId);
    expect(await item(first.itemId)).toMatchObject({ state: 'superseded', reason: 'asked_anew' });
    await expect(decide({ ...first, decision: 'approve', principal: ana })).rejects.toMatchObject({
      code: 'item_superseded',
      status: 409,
    });
    expect(await story()).toEqual(['inbox.opened', 'inbox.superseded', 'inbox.opened']);
  });

  it('opens one item when the same question is asked many times at once', async () => {
    const { openItem } = await rig();
    const opened = await Promise.all(Array.from({ length: 12 }, () => openItem()));
    expect(new Set(opened.map(({ itemId }) => itemId)).size).toBe(1);
  });

  it('asks anew after an expiry', async () => {
    const { openItem, clock, story } = await rig();
    await openItem({ expires: clock.now() + 1 });
    clock.advance({ seconds: 1 });
    await openItem();
    expect(await story()).toEqual(['inbox.opened', 'inbox.expired', 'inbox.opened']);
  });

  it('is closed by what settled its question elsewhere, once', async () => {
    const { openItem, inbox, db, item } = await rig();
    const { itemId } = await openItem();
    const close = () =>
      db.write((uow) => inbox.supersede(uow, { itemId, by: ben.actor, reason: 'decided_on_files' }));
    expect([await close(), await close()]).toEqual([true, false]);
    expect(await item(itemId)).toMatchObject({ state: 'superseded', reason: 'decided_on_files' });
    await openItem();
    const about = { projectId: 'p1', kind: 'review', subject: { type: 'package', id: 'pkg_1' } };
    const closeAll = () =>
      db.write((uow) => inbox.supersedeSubject(uow, { ...about, by: ben.actor, reason: 'gone' }));
    expect([await closeAll(), await closeAll()]).toEqual([1, 0]);
  });

  it('stays open, with nothing told, when the effect refuses the decision', async () => {
    const { openItem, decide, inbox, item, story } = await rig();
    inbox.register('picky', {
      apply: 'rows',
      run: async () => {
        throw new Error('the package is gone');
      },
    });
    const { itemId, digest } = await openItem({ kind: 'picky' });
    await expect(decide({ itemId, decision: 'approve', digest, principal: ana })).rejects.toThrow('gone');
    expect((await item(itemId))?.state).toBe('open');
    expect(await story()).toEqual(['inbox.opened']);
  });

  it('records the opening on the ledger of the session it belongs to', async () => {
    const { openItem, newSession, feed } = await rig();
    const session = await newSession();
    await openItem({ sessionId: session });
    const { events } = await feed.page({ chain: { sessionId: session, kind: 'ledger' } });
    expect(events.map(({ event }) => event.event_type)).toEqual(['inbox.opened']);
  });

  it('does not let two effects claim one kind, nor an item of a kind without one be opened', async () => {
    const { openItem, inbox } = await rig();
    expect(() => inbox.register('review', { apply: 'rows', run: async () => {} })).toThrow('two effects');
    await expect(openItem({ kind: 'unheard' })).rejects.toThrow('unheard');
    await expect(openItem({ digest: 'sha256:abc' })).rejects.toThrow('digest');
  });
});
