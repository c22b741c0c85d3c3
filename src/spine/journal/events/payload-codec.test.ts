import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../../kernel/base64.ts';
import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import { nodeHasher } from '../../../platform/index.ts';
import type { Database } from '../../storage/database.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { exportChain } from '../chains/export-chain.ts';
import { journalMigrations } from '../migrations.ts';
import { temporaryFolder, testJournal, testTree } from '../testing.ts';
import { payloadCodec } from './payload-codec.ts';
import { loadPayloadKeys } from './payload-keys.ts';

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const OLD = keyOf(1);
const NEW = keyOf(2);

const storedPayloads = (db: Database) =>
  db.read(async (reader) =>
    (await reader.all<{ payload: string }>('select payload from events order by leaf')).map(
      ({ payload }) => payload,
    ),
  );

describeOnEachEngine('payloads sealed in the store', (open) => {
  const rigOn = (db: Database, ...keys: Uint8Array[]) => testJournal(db, 1, payloadCodec(keys));

  async function sealedStory() {
    const rig = rigOn(await open(journalMigrations), OLD);
    const sessionId = await rig.newSession();
    const goal = { agent_id: 'a', goal: 'Überweise 7 € an Zoë' };
    const first = await rig.appendOne(sessionId, goal, 'session.started', 'trace');
    const last = await rig.appendOne(
      sessionId,
      { reason: 'completed', duration_ms: 3 },
      'session.ended',
      'trace',
    );
    return { ...rig, sessionId, goal, first, last };
  }

  it('show nothing there, and are read, exported, proved and verified as what was hashed', async () => {
    const rig = await sealedStory();
    const kit = await testTree(rig);
    await rig.sequencer.run();
    expect((await storedPayloads(rig.db)).join()).not.toMatch(/agent_id|goal|completed|[{}]/);
    const page = await rig.feed.page({});
    expect(page.events[0]?.event.payload).toEqual(rig.goal);
    expect((await rig.feed.newest({ limit: 1 })).events[0]?.event.payload).toMatchObject({
      reason: 'completed',
    });
    const verifier = createChainVerifier(nodeHasher, { kind: 'trace', mode: 'exact' });
    for await (const line of exportChain(rig.db, rig.sessionId, rig.payloads))
      verifier.push(line.slice(0, -1));
    expect(verifier.finish()).toMatchObject({ valid: true, event_count: 2 });
    expect((await kit.tree.prove(rig.first.eventId)).event.payload).toEqual(rig.goal);
    expect(await kit.verify()).toMatchObject({ valid: true, events: 2 });
  });

  it('go on beside plain ones from before, and beside those of an older key', async () => {
    const db = await open(journalMigrations);
    const plain = testJournal(db, 1);
    const sessionId = await plain.newSession();
    await plain.appendOne(sessionId, { n: 1 });
    await testJournal(db, 2, payloadCodec([OLD])).appendOne(sessionId, { n: 2 });
    const rotated = testJournal(db, 3, payloadCodec([NEW, OLD]));
    await rotated.appendOne(sessionId, { n: 3 });
    const { events } = await rotated.feed.page({});
    expect(events.map(({ event }) => event.payload?.n)).toEqual([1, 2, 3]);
    const [first, second, third] = await storedPayloads(db);
    expect(first).toBe('{"n":1}');
    expect(second?.split(':')[1]).not.toBe(third?.split(':')[1]);
    expect(await (await testTree(rotated)).verify()).toMatchObject({ valid: true, events: 3 });
  });

  it('name the key that is missing, to a reader and to a verifier', async () => {
    const { db } = await sealedStory();
    const keyId = (await storedPayloads(db))[0]?.split(':')[1];
    for (const keys of [[NEW], []]) {
      const rig = rigOn(db, ...keys);
      await expect(rig.feed.page({})).rejects.toMatchObject({
        code: 'payload_key_missing',
        details: { key_id: keyId },
      });
      await expect((await testTree(rig)).verify()).rejects.toMatchObject({ code: 'payload_key_missing' });
    }
  });

  it('do not open when a character was changed, or at the place of another event', async () => {
    const rig = await sealedStory();
    const kit = await testTree(rig);
    const [first = '', second = ''] = await storedPayloads(rig.db);
    const flipped = first.slice(0, 60) + (first[60] === 'A' ? 'B' : 'A') + first.slice(61);
    for (const forged of [flipped, second, `${first.slice(0, 24)}AAAA`]) {
      await rig.db.write((uow) =>
        uow.run('update events set payload = ? where event_id = ?', [forged, rig.first.eventId]),
      );
      await expect(rig.feed.page({})).rejects.toMatchObject({ code: 'payload_damaged' });
      expect(await kit.verify()).toMatchObject({
        valid: false,
        faults: [{ sequence: 0, kind: 'hash_mismatch' }, { sequence: 0 }],
      });
    }
  });
});

describe('payload keys', () => {
  it('come from a file or from text, one a line, remarks aside', async () => {
    const file = join(await temporaryFolder(), 'payload.keys');
    await writeFile(file, `# since March\n${encodeBase64(NEW)}\n\n${encodeBase64(OLD)}\n`);
    expect(await loadPayloadKeys({ file })).toEqual([NEW, OLD]);
    expect(await loadPayloadKeys({ text: `${encodeBase64(NEW)}, ${encodeBase64(OLD)}` })).toEqual([NEW, OLD]);
    expect(await loadPayloadKeys(undefined)).toEqual([]);
  });

  it('are refused when they are short, empty, or not there', async () => {
    for (const source of [{ text: 'c2hvcnQ=' }, { text: '# none' }, { file: '/nowhere/payload.keys' }]) {
      await expect(loadPayloadKeys(source)).rejects.toMatchObject({ code: 'payload_keys_unreadable' });
    }
  });
});
