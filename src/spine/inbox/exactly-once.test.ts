import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWorker } from '../jobs/worker.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { inboxJob } from './inbox-job.ts';
import type { ItemState } from './item.ts';
import { ana, ben, inboxTestMigrations, person, testInbox } from './testing.ts';

const runs = process.env.BATON_PROVE === '1' ? 200 : 12;
const EXPIRES_AFTER = 10;

type Step =
  | { do: 'decide'; by: 'ana' | 'ben'; decision: 'approve' | 'reject'; stale: boolean }
  | { do: 'supersede' }
  | { do: 'sweep' }
  | { do: 'wait'; seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('decide' as const),
    by: fc.constantFrom('ana' as const, 'ben' as const),
    decision: fc.constantFrom('approve' as const, 'reject' as const),
    stale: fc.boolean(),
  }),
  fc.constant({ do: 'supersede' as const }),
  fc.constant({ do: 'sweep' as const }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 6 }) }),
);

/** What should come of one item, in as few words as possible. */
class Model {
  state: ItemState = 'open';
  decided: string | undefined;
  effects = 0;
  elapsed = 0;

  take(step: Step): string {
    switch (step.do) {
      case 'wait':
        this.elapsed += step.seconds;
        return 'ok';
      case 'sweep':
        if (this.state === 'open' && this.elapsed >= EXPIRES_AFTER) this.state = 'expired';
        return 'ok';
      case 'supersede':
        if (this.state !== 'open') return 'false';
        this.state = 'superseded';
        return 'true';
      case 'decide':
        return this.#decide(step);
    }
  }

  #decide({ by, decision, stale }: Step & { do: 'decide' }): string {
    const said = `${by} ${decision}`;
    if (this.decided !== undefined) return this.decided === said && !stale ? 'repeated' : 'already_decided';
    if (this.state === 'superseded') return 'item_superseded';
    if (this.state === 'expired' || this.elapsed >= EXPIRES_AFTER) return 'item_expired';
    if (stale) return 'stale_digest';
    this.decided = said;
    this.state = 'applied';
    this.effects += 1;
    return 'first';
  }
}

describeOnEachEngine('one item', (open) => {
  async function rig() {
    const kit = testInbox(await open(inboxTestMigrations));
    const effects: string[] = [];
    kit.inbox.register('review', {
      apply: 'rows',
      run: async (uow, item) => uow.afterCommit(() => effects.push(item.itemId)),
    });
    const opened = await kit.openItem({ expires: kit.clock.now() + EXPIRES_AFTER * 1_000_000 });
    const take = async (step: Step): Promise<string> => {
      const { itemId } = opened;
      switch (step.do) {
        case 'wait':
          kit.clock.advance({ seconds: step.seconds });
          return 'ok';
        case 'sweep':
          await kit.db.write((uow) => kit.inbox.expireDue(uow));
          return 'ok';
        case 'supersede': {
          const close = { itemId, by: ben.actor, reason: 'elsewhere' };
          return String(await kit.db.write((uow) => kit.inbox.supersede(uow, close)));
        }
        case 'decide': {
          const digest = step.stale ? `jcs-sha256:${'0'.repeat(64)}` : opened.digest;
          const principal = step.by === 'ana' ? ana : ben;
          const decided = kit.decide({ itemId, decision: step.decision, digest, principal });
          return decided.then(
            ({ repeated }) => (repeated ? 'repeated' : 'first'),
            (error: { code: string }) => error.code,
          );
        }
      }
    };
    return { ...kit, opened, effects, take };
  }

  it('behaves as the model says under any sequence of decisions, closings and time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { take, opened, item, effects } = await rig();
        const model = new Model();
        for (const each of steps) expect(await take(each)).toBe(model.take(each));
        expect((await item(opened.itemId))?.state).toBe(model.state);
        expect(effects.length).toBe(model.effects);
      }),
      { numRuns: runs },
    );
  });

  it('ends the same whatever is done to it at once: one outcome, at most one effect, one event for each change', async () => {
    const racing = step.filter((each) => each.do !== 'wait');
    await fc.assert(
      fc.asyncProperty(
        fc.array(racing, { minLength: 2, maxLength: 10 }),
        fc.boolean(),
        async (steps, late) => {
          const { take, opened, item, effects, story, clock } = await rig();
          if (late) clock.advance({ seconds: EXPIRES_AFTER });
          const answers = await Promise.all(steps.map(take));
          const state = (await item(opened.itemId))?.state;
          expect(answers.filter((answer) => answer === 'first').length).toBe(effects.length);
          expect(effects.length).toBe(state === 'applied' ? 1 : 0);
          expect(answers.filter((answer) => answer === 'true').length).toBe(state === 'superseded' ? 1 : 0);
          const told = {
            open: [],
            decided: [],
            failed: [],
            applied: ['inbox.decided', 'inbox.applied'],
            superseded: ['inbox.superseded'],
            expired: ['inbox.expired'],
          }[state ?? 'open'];
          expect(await story()).toEqual(['inbox.opened', ...told]);
        },
      ),
      { numRuns: runs },
    );
  });

  it('has exactly one effect of rows under 50 clicks at once', async () => {
    const { decide, opened, effects } = await rig();
    const click = () =>
      decide({ itemId: opened.itemId, decision: 'approve', digest: opened.digest, principal: ana });
    const answers = await Promise.all(Array.from({ length: 50 }, click));
    expect(answers.filter(({ repeated }) => !repeated).length).toBe(1);
    expect(new Set(answers.map(({ item }) => item.state))).toEqual(new Set(['applied']));
    expect(effects.length).toBe(1);
  });

  it('has exactly one slow effect under 50 clicks of two people, with three workers', async () => {
    const kit = testInbox(await open(inboxTestMigrations));
    const beside = testInbox(await open(inboxTestMigrations, { beside: kit.db }), { seed: 2 });
    for (const each of [kit, beside]) each.inbox.register('gate', { apply: 'job', jobKind: 'open-gate' });
    const { itemId, digest } = await kit.openItem({ kind: 'gate' });
    const effects: string[] = [];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? kit : beside)
          .decide({ itemId, decision: 'approve', digest, principal: n % 3 === 0 ? person('ben') : ana })
          .then(
            ({ repeated }) => (repeated ? 'repeated' : 'first'),
            (error: { code: string }) => error.code,
          ),
      ),
    );
    expect(answers.filter((answer) => answer === 'first').length).toBe(1);
    expect(new Set(answers)).toEqual(new Set(['first', 'repeated', 'already_decided']));
    const workers = [kit, beside, kit].map(({ db, inbox, clock, random }) => {
      const handler = inboxJob(db, inbox, {
        idempotent: false,
        run: async (item) => void effects.push(item.itemId),
      });
      return createWorker(db, new Map([['open-gate', handler]]), { clock, random });
    });
    await Promise.all(workers.map((worker) => worker.drain()));
    expect(effects).toEqual([itemId]);
    expect((await kit.item(itemId))?.state).toBe('applied');
  });
});
