import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identityMigrations } from '../identity/migrations.ts';
import { createWorker } from '../jobs/worker.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { inboxErrors } from './errors.ts';
import { HELD_JOB, heldJob } from './held-job.ts';
import { ana, ben, inboxTestMigrations, testInbox } from './testing.ts';

const runs = process.env.BATON_PROVE === '1' ? 150 : 10;
const migrations = [...inboxTestMigrations, ...identityMigrations];

describeOnEachEngine('what can be taken back', (open) => {
  async function rig() {
    const kit = testInbox(await open(migrations));
    const effects: string[] = [];
    let refuses = false;
    kit.inbox.register('review', {
      apply: 'rows',
      async run(uow, item, made) {
        if (refuses) throw inboxErrors.item_superseded();
        uow.afterCommit(() =>
          effects.push(`${item.itemId} ${made.decision} ${JSON.stringify(made.edits ?? null)}`),
        );
      },
    });
    kit.inbox.register('gate', { apply: 'job', jobKind: 'open-gate' });
    const jobs = new Map([[HELD_JOB, heldJob(kit.db, kit.inbox)]]);
    const work = () => createWorker(kit.db, jobs, { clock: kit.clock, random: kit.random }).drain();
    const undo = (itemId: string, principal = ana) =>
      kit.db.write((uow) => kit.inbox.undo(uow, itemId, principal));
    const opened = await kit.openItem({ edits: true, expires: kit.clock.now() + 3_600_000_000 });
    const held = (more: object = {}) =>
      kit.decide({
        itemId: opened.itemId,
        decision: 'approve',
        digest: opened.digest,
        principal: ana,
        undoSeconds: 10,
        ...more,
      });
    return { ...kit, effects, work, undo, held, opened, refuse: () => (refuses = true) };
  }

  it('has no effect until the time is over, and then exactly one, with the edits as they were', async () => {
    const { held, work, clock, effects, item, opened, story } = await rig();
    const { item: decided } = await held({ decision: 'approve_with_edits', edits: { n: 1 } });
    expect(decided).toMatchObject({ state: 'decided', heldUntil: expect.any(String) });
    await work();
    expect(effects).toEqual([]);
    clock.advance({ seconds: 10 });
    await Promise.all([work(), work()]);
    expect(effects).toEqual([`${opened.itemId} approve_with_edits {"n":1}`]);
    expect((await item(opened.itemId))?.state).toBe('applied');
    expect(await story()).toEqual(['inbox.opened', 'inbox.decided', 'inbox.applied']);
  });

  it('is open again with the same digest after it was taken back, and can be decided otherwise', async () => {
    const { held, undo, work, clock, effects, item, opened, story } = await rig();
    await held({ note: 'too quick' });
    await expect(undo(opened.itemId, ben)).rejects.toMatchObject({ code: 'not_your_decision' });
    expect(await undo(opened.itemId)).toMatchObject({ state: 'open', decision: null, digest: opened.digest });
    expect((await undo(opened.itemId)).state).toBe('open');
    clock.advance({ seconds: 60 });
    await work();
    expect(effects).toEqual([]);
    await held({ decision: 'reject', undoSeconds: 0 });
    expect((await item(opened.itemId))?.state).toBe('applied');
    await expect(undo(opened.itemId)).rejects.toMatchObject({ code: 'too_late_to_undo' });
    expect(await story()).toEqual([
      'inbox.opened',
      'inbox.decided',
      'inbox.undone',
      'inbox.decided',
      'inbox.applied',
    ]);
  });

  it('either is taken back or takes effect, never both and never neither', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('undo', 'work', 'supersede'), { minLength: 2, maxLength: 6 }),
        async (steps) => {
          const { held, undo, work, clock, effects, item, opened, db, inbox } = await rig();
          await held();
          clock.advance({ seconds: 10 });
          const close = { itemId: opened.itemId, by: ben.actor, reason: 'elsewhere' };
          const said = await Promise.all(
            steps.map((step) =>
              step === 'work'
                ? work().then(() => 'worked')
                : step === 'supersede'
                  ? db
                      .write((uow) => inbox.supersede(uow, close))
                      .then((closed) => (closed ? 'closed' : 'late'))
                  : undo(opened.itemId).then(
                      () => 'undone',
                      (error: { code: string }) => error.code,
                    ),
            ),
          );
          await work();
          const state = (await item(opened.itemId))?.state;
          expect(effects.length).toBe(state === 'applied' ? 1 : 0);
          expect(['applied', 'open', 'superseded']).toContain(state);
          if (state === 'open') expect(said).toContain('undone');
          if (state === 'superseded') expect(said.filter((each) => each === 'closed')).toHaveLength(1);
          if (state === 'applied') expect(said).not.toContain('undone');
        },
      ),
      { numRuns: runs },
    );
  });

  it('opens again where its effect is refused when it comes to it', async () => {
    const { held, work, clock, item, opened, refuse, story } = await rig();
    await held();
    refuse();
    clock.advance({ seconds: 10 });
    await work();
    expect(await item(opened.itemId)).toMatchObject({ state: 'open', decision: null });
    expect((await story()).slice(-1)).toEqual(['inbox.reopened']);
  });

  it('is never held back beyond its own expiry', async () => {
    const { openItem, decide, clock } = await rig();
    const expires = clock.now() + 3_000_000;
    const { itemId, digest } = await openItem({ subject: { type: 'package', id: 'short' }, expires });
    const { item } = await decide({ itemId, decision: 'approve', digest, principal: ana, undoSeconds: 60 });
    expect(item.heldUntil).toBe(item.expiresAt);
  });

  it('is taken back too where a slow effect has not begun, and where one of several had agreed', async () => {
    const { openItem, decide, undo, item, inbox, db } = await rig();
    const gate = await openItem({ kind: 'gate', subject: { type: 'gate', id: 'g' } });
    await decide({ itemId: gate.itemId, decision: 'approve', digest: gate.digest, principal: ana });
    expect((await undo(gate.itemId)).state).toBe('open');
    const two = await openItem({ quorum: 2, subject: { type: 'package', id: 'two' } });
    await decide({ itemId: two.itemId, decision: 'approve', digest: two.digest, principal: ana });
    await undo(two.itemId);
    expect(await db.read((reader) => inbox.agreedBy(reader, two))).toEqual([]);
    await decide({ itemId: two.itemId, decision: 'approve', digest: two.digest, principal: ben });
    expect((await item(two.itemId))?.state).toBe('open');
  });

  it('names everybody who had agreed when a decision of several takes effect later', async () => {
    const kit = testInbox(await open(migrations));
    const seen: unknown[] = [];
    kit.inbox.register('review', {
      apply: 'rows',
      run: async (uow, _item, made) => uow.afterCommit(() => seen.push([made.decidedBy.id, made.agreedBy])),
    });
    const { itemId, digest } = await kit.openItem({ quorum: 2 });
    await kit.decide({ itemId, decision: 'approve', digest, principal: ana });
    await kit.decide({ itemId, decision: 'approve', digest, principal: ben, undoSeconds: 5 });
    kit.clock.advance({ seconds: 5 });
    const jobs = new Map([[HELD_JOB, heldJob(kit.db, kit.inbox)]]);
    await createWorker(kit.db, jobs, { clock: kit.clock, random: kit.random }).drain();
    expect(seen).toEqual([['ben', ['ana']]]);
  });
});
