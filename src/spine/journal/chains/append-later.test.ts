import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import { nodeHasher } from '../../../platform/index.ts';
import type { Database } from '../../storage/database.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { testJournal } from '../testing.ts';
import { findChain } from './chain-store.ts';
import { exportChain } from './export-chain.ts';

interface Step {
  readonly ledger: number;
  readonly later: boolean;
}

interface Story {
  readonly steps: readonly Step[];
  readonly fails: boolean;
}

const story: fc.Arbitrary<Story> = fc.record({
  steps: fc.array(fc.record({ ledger: fc.nat(2), later: fc.boolean() }), { minLength: 1, maxLength: 5 }),
  fails: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

async function eventsOf(db: Database, sessionId: string) {
  const chain = await db.read((reader) => findChain(reader, { sessionId, kind: 'ledger' }));
  const verifier = createChainVerifier(nodeHasher, { kind: 'ledger', mode: 'exact' });
  const payloads: { unit: number; step: number }[] = [];
  for await (const line of exportChain(db, chain?.chainId ?? '')) {
    verifier.push(line.slice(0, -1));
    payloads.push(JSON.parse(line.slice(0, -1)).payload);
  }
  expect(verifier.finish()).toMatchObject({ valid: true, event_count: payloads.length });
  return payloads;
}

describeOnEachEngine('events that are left to the commit', (open) => {
  it('stand on straight chains, each once, in the order of their unit, and none of a unit that failed', async () => {
    const rig = testJournal(await open(journalMigrations));
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: 1, maxLength: 12 }), async (stories) => {
        const ledgers = await Promise.all([rig.newSession('p1'), rig.newSession('p1'), rig.newSession('p2')]);
        await Promise.allSettled(
          stories.map(({ steps, fails }, unit) =>
            rig.db.write(async (uow) => {
              for (const [step, { ledger, later }] of steps.entries()) {
                const entry = { type: 'test.happened', payload: { unit, step } };
                const sessionId = ledgers[ledger] as string;
                if (later) rig.journal.appendLater(uow, { sessionId, ...entry });
                else await rig.journal.append(uow, { chain: { sessionId, kind: 'ledger' }, ...entry });
              }
              if (fails) throw new Error('not this one');
            }),
          ),
        );
        for (const [ledger, sessionId] of ledgers.entries()) {
          const stored = await eventsOf(rig.db, sessionId);
          for (const [unit, { steps, fails }] of stories.entries()) {
            const expected = fails ? [] : steps.flatMap((step, nth) => (step.ledger === ledger ? [nth] : []));
            expect(stored.filter((payload) => payload.unit === unit).map(({ step }) => step)).toEqual(
              expected,
            );
          }
        }
      }),
      { numRuns: process.env.BATON_PROVE === '1' ? 300 : 15 },
    );
  });

  it('fail the unit that leaves them, and no other, where they cannot be written', async () => {
    const rig = testJournal(await open(journalMigrations));
    const sessionId = await rig.newSession();
    const leave = (payload: { readonly text: string }, session = sessionId) =>
      rig.db.write(async (uow) =>
        rig.journal.appendLater(uow, { sessionId: session, type: 'test.happened', payload }),
      );
    const outcomes = await Promise.allSettled([
      leave({ text: 'one' }),
      leave({ text: '\ud800' }),
      leave({ text: 'nowhere' }, rig.ids()),
      leave({ text: 'two' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'chain_not_found' } });
    expect(await eventsOf(rig.db, sessionId)).toHaveLength(2);
  });

  it('refuse a type that no ledger has', async () => {
    const rig = testJournal(await open(journalMigrations));
    const sessionId = await rig.newSession();
    const leaving = rig.db.write(async (uow) =>
      rig.journal.appendLater(uow, { sessionId, type: 'bare', payload: {} }),
    );
    await expect(leaving).rejects.toMatchObject({ code: 'event_refused' });
  });
});
