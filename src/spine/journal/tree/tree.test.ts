import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../../kernel/hex.ts';
import { rootFromLeaves } from '../../../kernel/merkle/compact-range.ts';
import { leafHash, nodeHash } from '../../../kernel/merkle/hash.ts';
import { verifyConsistency, verifyInclusion } from '../../../kernel/merkle/verify.ts';
import { parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { verifyNote } from '../../../kernel/note/signed-note.ts';
import { parseVerifierKey } from '../../../kernel/note/verifier-key.ts';
import { checkProofBundle, formatProofBundle } from '../../../kernel/proof-bundle.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { type TestJournal, temporaryFolder, testJournal, testTree } from '../testing.ts';
import { Frontier } from './frontier.ts';
import { hexLeafHash, hexNodeHash } from './hex-hash.ts';
import { loadSigner } from './signing-key.ts';

const bytes = (hex: string) => fromHex(hex) as Uint8Array;

async function fill(rig: TestJournal, count: number) {
  const session = await rig.newSession();
  for (let done = 0; done < count; ) {
    const some = Math.min(count - done, 500);
    await rig.db.write(async (uow) => {
      for (let n = 0; n < some; n += 1) await rig.append(uow, session, { n: done + n });
    });
    done += some;
  }
  return session;
}

async function leafHashes({ db, sequencer }: TestJournal): Promise<Uint8Array[]> {
  await sequencer.run();
  const rows = await db.read((reader) =>
    reader.all<{ event_hash: string }>('select event_hash from events order by leaf'),
  );
  return rows.map((row) => leafHash(nodeHasher, bytes(row.event_hash)));
}

describe('hashing over hex', () => {
  it('gives what the kernel gives over bytes', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(hash, hash, (left, right) => {
        expect(hexLeafHash(nodeHasher, toHex(left))).toBe(toHex(leafHash(nodeHasher, left)));
        expect(hexNodeHash(nodeHasher, toHex(left), toHex(right))).toBe(
          toHex(nodeHash(nodeHasher, left, right)),
        );
      }),
    );
  });

  it('grows the same tree leaf by leaf', () => {
    const completed: string[] = [];
    const frontier = new Frontier(nodeHasher, (level, index) => completed.push(`${level}/${index}`));
    const leaves: Uint8Array[] = [];
    for (let n = 0; n <= 520; n += 1) {
      expect(frontier.size).toBe(n);
      if (n < 20 || n > 510) expect(frontier.root()).toBe(toHex(rootFromLeaves(nodeHasher, leaves)));
      const leaf = nodeHasher.bytes(`leaf ${n}`);
      leaves.push(leaf);
      frontier.append(toHex(leaf));
    }
    expect(completed).toEqual(['8/0', '8/1']);
  });
});

describeOnEachEngine('the tree', (open) => {
  const rigOf = async () => testJournal(await open(journalMigrations));

  it('proves any leaf in a tree of any size', async () => {
    const rig = await rigOf();
    await fill(rig, 600);
    const { tree } = await testTree(rig);
    const leaves = await leafHashes(rig);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 600 }), fc.nat(), async (size, pick) => {
        const index = pick % size;
        const proof = await tree.inclusion(index, size);
        expect(proof.root).toBe(toHex(rootFromLeaves(nodeHasher, leaves.slice(0, size))));
        expect(
          verifyInclusion(nodeHasher, {
            leaf: leaves[index] as Uint8Array,
            index,
            size,
            path: proof.path.map(bytes),
            root: bytes(proof.root),
          }),
        ).toBe(true);
      }),
      {
        numRuns: 40,
        examples: [
          [256, 255],
          [512, 0],
          [513, 512],
          [1, 0],
        ],
      },
    );
  });

  it('proves that any tree continues any smaller one', async () => {
    const rig = await rigOf();
    await fill(rig, 530);
    const { tree } = await testTree(rig);
    const leaves = await leafHashes(rig);
    const rootOf = (size: number) => rootFromLeaves(nodeHasher, leaves.slice(0, size));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 530 }), fc.nat({ max: 530 }), async (one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const { path } = await tree.consistency(first, second);
        expect(
          verifyConsistency(nodeHasher, {
            first,
            firstRoot: rootOf(first),
            second,
            secondRoot: rootOf(second),
            path: path.map(bytes),
          }),
        ).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('refuses leaves and sizes that are not there', async () => {
    const rig = await rigOf();
    await fill(rig, 2);
    const { tree } = await testTree(rig);
    const asks = [
      () => tree.inclusion(2),
      () => tree.inclusion(0, 3),
      () => tree.inclusion(-1),
      () => tree.consistency(2, 1),
      () => tree.consistency(1, 3),
    ];
    for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'invalid_range' });
  });

  it('signs its head as a note that anyone can check, and nothing when nothing is new', async () => {
    const rig = await rigOf();
    const { tree, signer } = await testTree(rig);
    expect(await tree.checkpoint()).toBeUndefined();
    const session = await fill(rig, 3);
    const first = await tree.checkpoint();
    expect(await tree.checkpoint()).toEqual(first);
    await rig.appendOne(session, { n: 3 });
    const second = await tree.checkpoint();
    expect([first?.size, second?.size]).toEqual([3, 4]);
    expect(await tree.latestCheckpoint()).toEqual(second);
    const key = parseVerifierKey(nodeHasher, signer.verifierKey);
    const { text } = await verifyNote(second?.note ?? '', [key], ed25519.verify);
    expect(parseCheckpoint(text)).toMatchObject({ origin: signer.origin, size: 4 });
    expect(toHex(parseCheckpoint(text).root)).toBe(second?.root);
    expect(signer.origin).toMatch(/^baton\/[0-9a-f]{32}$/);
  });

  it('proves an event with a file that the kernel checks alone, signing a new head only when it must', async () => {
    const rig = await rigOf();
    const { tree, signer } = await testTree(rig);
    const session = await fill(rig, 300);
    const { eventId } = await rig.appendOne(session, { text: 'é', float: 1.5 });
    const bundle = await tree.prove(eventId);
    const report = await checkProofBundle(
      formatProofBundle(bundle),
      nodeHasher,
      ed25519.verify,
      signer.verifierKey,
    );
    expect(report).toMatchObject({ valid: true, trusted: true, leaf_index: 300, tree_size: 301 });
    await rig.appendOne(session, { later: true });
    expect((await tree.prove(eventId)).checkpoint).toBe(bundle.checkpoint);
    await expect(tree.prove(rig.ids())).rejects.toMatchObject({ code: 'event_not_found' });
  });

  it('does none of its work while events are appended, and catches up by itself', async () => {
    const rig = await rigOf();
    await fill(rig, 520);
    const nodes = () =>
      rig.db.read((reader) => reader.all('select level, idx from tree_nodes order by level, idx'));
    expect(await nodes()).toEqual([]);
    const { tree } = await testTree(rig);
    await Promise.all([tree.inclusion(3), tree.inclusion(500), tree.checkpoint()]);
    expect(await nodes()).toEqual([
      { level: 8, idx: 0 },
      { level: 8, idx: 1 },
    ]);
  });

  it('refuses to sign a history that was cut', async () => {
    const rig = await rigOf();
    const { tree, folder } = await testTree(rig);
    await fill(rig, 4);
    await tree.checkpoint();
    await rig.db.write(async (uow) => {
      await uow.run('delete from events where leaf = 3');
      await uow.run('update journal_head set next_leaf = 3');
    });
    const restarted = await testTree(rig, folder);
    await expect(restarted.tree.checkpoint()).rejects.toMatchObject({
      code: 'journal_rewritten',
      status: 500,
    });
  });

  it('refuses to sign a history that was rewritten before the last head', async () => {
    const rig = await rigOf();
    const { tree, folder } = await testTree(rig);
    const session = await fill(rig, 4);
    await tree.checkpoint();
    await rig.db.write((uow) =>
      uow.run('update events set event_hash = ? where leaf = 1', ['ab'.repeat(32)]),
    );
    await rig.appendOne(session, { n: 4 });
    const restarted = await testTree(rig, folder);
    await expect(restarted.tree.checkpoint()).rejects.toMatchObject({ code: 'journal_rewritten' });
  });

  it('proves nothing from a tile whose events were changed after it was stored', async () => {
    const rig = await rigOf();
    const { tree, folder } = await testTree(rig);
    await fill(rig, 260);
    await tree.checkpoint();
    await rig.db.write((uow) =>
      uow.run('update events set event_hash = ? where leaf = 7', ['ab'.repeat(32)]),
    );
    const restarted = await testTree(rig, folder);
    await expect(restarted.tree.inclusion(3)).rejects.toMatchObject({ code: 'journal_rewritten' });
  });

  it('refuses a last checkpoint that was changed, or signed by a key it does not know', async () => {
    const rig = await rigOf();
    const { tree, folder } = await testTree(rig);
    const session = await fill(rig, 2);
    const last = await tree.checkpoint();
    await rig.appendOne(session);
    const stranger = await testTree(rig);
    await expect(stranger.tree.checkpoint()).rejects.toMatchObject({ code: 'signing_key_unknown' });
    await rig.db.write((uow) =>
      uow.run('update checkpoints set note = ?', [(last?.note ?? '').replace('\n2\n', '\n1\n')]),
    );
    const restarted = await testTree(rig, folder);
    await expect(restarted.tree.checkpoint()).rejects.toMatchObject({ code: 'journal_rewritten' });
  });

  it('lets two processes sign the same head', async () => {
    const rig = await rigOf();
    const { tree, folder } = await testTree(rig);
    const other = await testTree(testJournal(await open(journalMigrations, { beside: rig.db }), 2), folder);
    await fill(rig, 5);
    const [one, two] = await Promise.all([tree.checkpoint(), other.tree.checkpoint()]);
    expect(one).toEqual(two);
  });
});

describeOnSqlite('the signing key', (open) => {
  const newDb = () => open(journalMigrations);

  it('is made once, for its owner’s eyes only, also when several start at once', async () => {
    const rig = testJournal(await newDb());
    const folder = await temporaryFolder();
    const signers = await Promise.all([1, 2, 3, 4].map(() => loadSigner(rig.db, folder, rig.random)));
    expect(new Set(signers.map((signer) => signer.verifierKey)).size).toBe(1);
    expect((await stat(join(folder, 'journal.key'))).mode & 0o777).toBe(0o600);
    const again = await loadSigner(rig.db, folder, rig.random);
    expect(again.verifierKey).toBe(signers[0]?.verifierKey);
    expect(await readFile(join(folder, 'journal.pub'), 'utf8')).toContain(again.verifierKey);
  });

  it('says so when the file is not a key', async () => {
    const rig = testJournal(await newDb());
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'journal.key'), 'hello\n');
    await expect(loadSigner(rig.db, folder, rig.random)).rejects.toMatchObject({
      code: 'signing_key_unreadable',
    });
  });

  it('still checks what a lost key has signed', async () => {
    const rig = testJournal(await newDb());
    const { tree, folder } = await testTree(rig);
    const session = await fill(rig, 2);
    await tree.checkpoint();
    await writeFile(join(folder, 'journal.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    await rig.appendOne(session);
    const restarted = await testTree(rig, folder);
    expect(await restarted.tree.checkpoint()).toMatchObject({ size: 3 });
    expect(await restarted.verify()).toMatchObject({ valid: true, checkpoints: 2 });
  });
});
