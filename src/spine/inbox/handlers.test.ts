import { expect, it } from 'vitest';
import { toPlain } from '../../kernel/json/plain.ts';
import { readDocument } from '../../kernel/json/reader.ts';
import { JsonNumber } from '../../kernel/json/value.ts';
import type { Principal } from '../identity/principal.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import type { DecisionWithEdits } from './effect.ts';
import { createInboxHandlers } from './handlers.ts';
import { decisionSchema, itemListSchema, itemSchema } from './schema.ts';
import { ana, ben, inboxTestMigrations, testInbox } from './testing.ts';

describeOnEachEngine('the operations of the inbox', (open) => {
  async function rig() {
    const kit = testInbox(await open(inboxTestMigrations));
    const applied: DecisionWithEdits[] = [];
    kit.inbox.register('review', {
      apply: 'rows',
      run: async (uow, _item, made) => uow.afterCommit(() => applied.push(made)),
      describe: async (_reader, item, { actor }) =>
        actor.id === 'ana' ? { words: `of ${item.subject.id}` } : undefined,
    });
    const handlers = createInboxHandlers({ db: kit.db, inbox: kit.inbox, clock: kit.clock });
    const rest = { headers: undefined, requestId: 'r1', signal: new AbortController().signal };
    const list = (query: object, principal: Principal = ana) =>
      kit.db.read((reader) =>
        handlers['inbox.list'](reader, {
          input: { path: undefined, query, headers: undefined, body: undefined },
          document: undefined,
          principal,
          ...rest,
        }),
      );
    const decide = (id: string, body: string, principal: Principal = ana) => {
      const document = readDocument(body);
      const view = decisionSchema.parse(toPlain(document.value));
      return kit.db.write((uow) =>
        handlers['inbox.decide'](uow, {
          input: { path: { id }, query: undefined, headers: undefined, body: view },
          document,
          principal,
          ...rest,
        }),
      );
    };
    const show = (id: string, principal: Principal = ana) =>
      kit.db.read((reader) =>
        handlers['inbox.get'](reader, {
          input: { path: { id }, query: undefined, headers: undefined, body: undefined },
          document: undefined,
          principal,
          ...rest,
        }),
      );
    return { ...kit, applied, list, decide, show };
  }

  it('show what to look at where one item is read, to those who may see it', async () => {
    const { openItem, list, show, decide, inbox } = await rig();
    const reserved = inbox.reserveId();
    const { itemId, digest } = await openItem({ itemId: reserved });
    expect(itemId).toBe(reserved);
    expect((await show(itemId)).body).toMatchObject({ needs_presence: false });
    const risky = await openItem({ subject: { type: 'package', id: 'pkg_2' }, risk: 'high' });
    expect((await show(risky.itemId)).body).toMatchObject({ needs_presence: true });
    expect(itemSchema.parse((await show(itemId)).body).details).toEqual({ words: 'of pkg_1' });
    expect((await show(itemId, ben)).body).not.toHaveProperty('details');
    expect(itemListSchema.parse((await list({})).body).items[0]).not.toHaveProperty('details');
    const decided = await decide(itemId, JSON.stringify({ decision: 'reject', digest }));
    expect(decided.body).not.toHaveProperty('details');
  });

  it('list what is open in the projects that the credential sees, in the shape they declare', async () => {
    const { openItem, list, show, clock } = await rig();
    const { itemId } = await openItem();
    await openItem({ projectId: 'p2' });
    const gone = await openItem({ subject: { type: 'package', id: 'old' }, expires: clock.now() });
    const all = itemListSchema.parse((await list({})).body);
    expect(all.items.map((item) => item.project_id)).toEqual(['p1', 'p2']);
    const own = itemListSchema.parse((await list({}, { ...ana, projects: ['p1'] })).body);
    expect(own.items.map((item) => item.id)).toEqual([itemId]);
    expect(itemSchema.parse((await show(gone.itemId)).body).state).toBe('expired');
    const hidden = { ...ana, projects: ['p2'] };
    await expect(show(itemId, hidden)).rejects.toMatchObject({ code: 'item_not_found' });
    await expect(list({ project: 'p1' }, hidden)).rejects.toMatchObject({ status: 404 });
  });

  it('decide with the edits as they were written, and answer the item as it stands then', async () => {
    const { openItem, decide, applied } = await rig();
    const { itemId, digest } = await openItem({ edits: true });
    const answer = await decide(
      itemId,
      `{"decision":"approve_with_edits","digest":"${digest}","edits":{"n":1.0}}`,
    );
    expect(itemSchema.parse(answer.body)).toMatchObject({
      state: 'applied',
      decision: { decision: 'approve_with_edits', decided_by: { id: 'ana', type: 'human' } },
    });
    expect(applied[0]?.edits).toEqual({ n: new JsonNumber('1.0') });
  });
});
