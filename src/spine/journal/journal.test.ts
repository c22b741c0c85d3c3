import { expect, it } from 'vitest';
import { JsonNumber } from '../../kernel/json/value.ts';
import { eventHash, GENESIS_HASH, readTraceEvent } from '../../kernel/trace/event.ts';
import { createChainVerifier } from '../../kernel/trace/verify-chain.ts';
import { nodeHasher } from '../../platform/index.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { findChain } from './chains/chain-store.ts';
import { exportChain } from './chains/export-chain.ts';
import { journalMigrations } from './migrations.ts';
import { testJournal } from './testing.ts';

describeOnEachEngine('appending to the journal', (open) => {
  const rig = async () => testJournal(await open(journalMigrations));

  it('starts both chains of a session at the genesis hash and links each event to the one before', async () => {
    const { db, openSession, append } = await rig();
    const { sessionId, first, second } = await db.write(async (uow) => {
      const sessionId = await openSession(uow);
      const first = await append(uow, sessionId);
      return { sessionId, first, second: await append(uow, sessionId) };
    });
    expect([first.sequence, second.sequence]).toEqual([0, 1]);
    const chain = await db.read((reader) => findChain(reader, { sessionId, kind: 'ledger' }));
    expect(chain).toMatchObject({ nextSequence: 2, headHash: second.hash, ended: false, prunedThrough: -1 });
    const trace = await db.read((reader) => findChain(reader, { sessionId, kind: 'trace' }));
    expect(trace).toMatchObject({ chainId: sessionId, nextSequence: 0, headHash: GENESIS_HASH });
  });

  it('goes on where an earlier unit stopped, and hashes exactly what goes over the wire', async () => {
    const { db, newSession, appendOne } = await rig();
    const sessionId = await newSession();
    await appendOne(sessionId, { agent_id: 'a', goal: 'Überprüfe № 7 — 😀' }, 'session.started', 'trace');
    await appendOne(
      sessionId,
      { n: new JsonNumber('1.0'), deep: { z: 1, a: [1e21, -0.5] } },
      'error.occurred',
      'trace',
    );
    await appendOne(sessionId, { reason: 'completed', duration_ms: 3 }, 'session.ended', 'trace');
    const lines: string[] = [];
    for await (const line of exportChain(db, sessionId)) lines.push(line);
    const events = lines.map((line) => readTraceEvent(line.slice(0, -1), 'trace', 'exact'));
    expect(events.map((event) => eventHash(nodeHasher, event))).toEqual(
      events.map((event) => event.event_hash),
    );
    const verifier = createChainVerifier(nodeHasher, { kind: 'trace', mode: 'exact' });
    for (const line of lines) verifier.push(line.slice(0, -1));
    expect(verifier.finish()).toMatchObject({ valid: true, event_count: 3, ended: true, warnings: [] });
    expect(lines.every((line) => line.endsWith('}\n') && /^[ -~]+\n$/.test(line))).toBe(true);
  });

  it('keeps event times apart and in order when the clock stands still or goes back', async () => {
    const { clock, newSession, appendOne } = await rig();
    const sessionId = await newSession();
    const first = await appendOne(sessionId);
    const second = await appendOne(sessionId);
    clock.advance({ seconds: -60 });
    const third = await appendOne(sessionId);
    expect([second.time - first.time, third.time - second.time]).toEqual([1, 1]);
  });

  it('follows its own order when appends of one unit run side by side', async () => {
    const { db, newSession, append } = await rig();
    const sessionId = await newSession();
    const made = await db.write((uow) => Promise.all([1, 2, 3, 4].map((n) => append(uow, sessionId, { n }))));
    expect(made.map((event) => event.sequence)).toEqual([0, 1, 2, 3]);
    expect(new Set(made.map((event) => event.hash)).size).toBe(4);
  });

  it('takes events that another room appends while the unit is ending', async () => {
    const { db, newSession, append, feed } = await rig();
    const sessionId = await newSession();
    await db.write(async (uow) => {
      await append(uow, sessionId, { n: 1 });
      uow.beforeCommit(async () => {
        await append(uow, sessionId, { n: 2 });
      });
    });
    const { events } = await feed.page({});
    expect(events.map(({ event }) => event.payload)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('writes more events in one unit than fit into one statement', async () => {
    const { db, newSession, append, feed } = await rig();
    const sessionId = await newSession();
    await db.write(async (uow) => {
      for (let n = 0; n < 100; n += 1) await append(uow, sessionId, { n });
    });
    const { events } = await feed.page({ limit: 1000 });
    expect(events.map(({ leaf }) => leaf)).toEqual(Array.from({ length: 100 }, (_, leaf) => leaf));
  });

  it('leaves nothing of a unit that fails: no event, no number, no step of the chain', async () => {
    const { db, newSession, append, appendOne, feed } = await rig();
    const sessionId = await newSession();
    await appendOne(sessionId, { n: 1 });
    const failing = db.write(async (uow) => {
      await append(uow, sessionId, { n: 2 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await appendOne(sessionId, { n: 3 });
    const { events } = await feed.page({});
    expect(
      events.map(({ leaf, projectSeq, event }) => [leaf, projectSeq, event.sequence, event.payload]),
    ).toEqual([
      [0, 1, 0, { n: 1 }],
      [1, 2, 1, { n: 3 }],
    ]);
  });

  it('refuses what its own verifier would refuse: an unknown type on a trace, a bare word on a ledger', async () => {
    const { newSession, appendOne } = await rig();
    const sessionId = await newSession();
    await expect(appendOne(sessionId, {}, 'package.deposited', 'trace')).rejects.toMatchObject({
      code: 'event_refused',
    });
    await expect(appendOne(sessionId, {}, 'deposited', 'ledger')).rejects.toMatchObject({
      code: 'event_refused',
    });
    await expect(appendOne(sessionId, { text: '\ud800' })).rejects.toMatchObject({ code: 'lone_surrogate' });
    await expect(appendOne(sessionId, { text: '\\ud800 😀' })).resolves.toMatchObject({ sequence: 0 });
  });

  it('takes nothing on a trace after its session has ended, but still on the ledger', async () => {
    const { newSession, appendOne } = await rig();
    const sessionId = await newSession();
    await appendOne(sessionId, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
    await expect(appendOne(sessionId, {}, 'error.occurred', 'trace')).rejects.toMatchObject({
      code: 'chain_ended',
    });
    await expect(appendOne(sessionId)).resolves.toMatchObject({ sequence: 0 });
  });

  it('says so when there is no such chain', async () => {
    const { ids, appendOne } = await rig();
    await expect(appendOne(ids())).rejects.toMatchObject({ code: 'chain_not_found', status: 404 });
  });

  it('keeps one chain straight while many units write to it at once', async () => {
    const { db, newSession, appendOne } = await rig();
    const sessionId = await newSession();
    await Promise.all(Array.from({ length: 40 }, (_, n) => appendOne(sessionId, { n })));
    const chain = await db.read((reader) => findChain(reader, { sessionId, kind: 'ledger' }));
    const verifier = createChainVerifier(nodeHasher, { kind: 'ledger', mode: 'exact' });
    for await (const line of exportChain(db, chain?.chainId ?? '')) verifier.push(line.slice(0, -1));
    expect(verifier.finish()).toMatchObject({ valid: true, event_count: 40, head: chain?.headHash });
  });
});
