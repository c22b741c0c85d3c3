import { expect, it } from 'vitest';
import { JsonNumber } from '../../kernel/json/value.ts';
import { jobErrors } from '../jobs/errors.ts';
import { createWorker } from '../jobs/worker.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import type { DecisionWithEdits } from './effect.ts';
import { type InboxWork, inboxJob } from './inbox-job.ts';
import { ana, ben, inboxTestMigrations, testInbox } from './testing.ts';

describeOnEachEngine('slow effects of a decision', (open) => {
  async function rig(run: InboxWork['run'], idempotent = false) {
    const kit = testInbox(await open(inboxTestMigrations));
    kit.inbox.register('gate', { apply: 'job', jobKind: 'open-gate' });
    const handler = inboxJob(kit.db, kit.inbox, { idempotent, run });
    const worker = createWorker(kit.db, new Map([['open-gate', handler]]), {
      clock: kit.clock,
      random: kit.random,
    });
    const { itemId, digest } = await kit.openItem({ kind: 'gate', edits: true });
    const approve = () => kit.decide({ itemId, decision: 'approve', digest, principal: ana });
    return { ...kit, worker, itemId, digest, approve };
  }

  it('run as a job after the decision, and settle the item', async () => {
    const seen: DecisionWithEdits[] = [];
    const { worker, approve, item, itemId, story } = await rig(async (_item, made) => void seen.push(made));
    expect((await approve()).item.state).toBe('decided');
    expect(seen).toEqual([]);
    await worker.drain();
    expect(seen).toMatchObject([{ decision: 'approve', decidedBy: { id: 'ana' }, edits: undefined }]);
    expect((await item(itemId))?.state).toBe('applied');
    expect((await approve()).repeated).toBe(true);
    await worker.drain();
    expect(seen.length).toBe(1);
    expect(await story()).toEqual(['inbox.opened', 'inbox.decided', 'inbox.applied']);
  });

  it('find the edits with their numbers as written, and leave none behind', async () => {
    const seen: DecisionWithEdits[] = [];
    const { worker, decide, digest, itemId, db } = await rig(async (_item, made) => void seen.push(made));
    const edits = { amount: new JsonNumber('1.0') };
    await decide({ itemId, decision: 'approve_with_edits', digest, principal: ana, edits });
    await worker.drain();
    expect(seen[0]?.edits).toEqual(edits);
    const rows = await db.read((reader) =>
      reader.all<{ edits: string | null }>('select edits from inbox_items'),
    );
    expect(rows).toEqual([{ edits: null }]);
  });

  it('fail the item when they can never succeed, with the reason as a code', async () => {
    const { worker, approve, item, itemId, story } = await rig(async () => {
      throw jobErrors.job_given_up({ cause: new RangeError('x') });
    });
    await approve();
    await worker.drain();
    expect(await item(itemId)).toMatchObject({ state: 'failed', reason: 'RangeError' });
    expect(await story()).toEqual(['inbox.opened', 'inbox.decided', 'inbox.failed']);
  });

  it('leave an unknown outcome standing as such, until the truth comes out', async () => {
    let lost = true;
    const { worker, approve, item, itemId, jobs, db } = await rig(async () => {
      if (lost) throw jobErrors.outcome_unknown();
    });
    await approve();
    await worker.drain();
    expect(await item(itemId)).toMatchObject({ state: 'failed', reason: 'outcome_unknown' });
    lost = false;
    const row = await db.read((reader) => reader.get<{ job_id: string }>('select job_id from jobs'));
    await db.write((uow) => jobs.retryUnknown(uow, row?.job_id ?? ''));
    await worker.drain();
    expect(await item(itemId)).toMatchObject({ state: 'applied', reason: null });
  });

  it('are taken back when the question is settled elsewhere before they begin', async () => {
    const ran: string[] = [];
    const { worker, approve, inbox, db, itemId, item, story } = await rig(
      async (item) => void ran.push(item.itemId),
    );
    await approve();
    const close = () =>
      db.write((uow) => inbox.supersede(uow, { itemId, by: ben.actor, reason: 'on_files' }));
    expect(await close()).toBe(true);
    await worker.drain();
    expect(ran).toEqual([]);
    expect((await item(itemId))?.state).toBe('superseded');
    expect(await story()).toEqual(['inbox.opened', 'inbox.decided', 'inbox.superseded']);
    await expect(approve()).resolves.toMatchObject({ repeated: true, item: { state: 'superseded' } });
  });

  it('are not taken back once they have begun', async () => {
    const { worker, approve, inbox, db, itemId, item } = await rig(async () => {
      expect(await db.write((uow) => inbox.supersede(uow, { itemId, by: ben.actor, reason: 'late' }))).toBe(
        false,
      );
    });
    await approve();
    await worker.drain();
    expect((await item(itemId))?.state).toBe('applied');
  });
});
