import { expect, it } from 'vitest';
import { derivedTables } from '../../src/app/derived-tables.ts';
import { migrations } from '../../src/app/migrations.ts';
import { tables } from '../../src/app/tables.ts';
import { testJournal, testTree } from '../../src/spine/journal/testing.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';

describeOnEachEngine('verifying without holding up the server', (open) => {
  async function story() {
    const rig = testJournal(await open(migrations));
    const { tree, signer } = await testTree(rig);
    const session = await rig.newSession();
    await rig.db.write(async (uow) => {
      for (let n = 0; n < 1200; n += 1) await rig.append(uow, session, { n });
    });
    await tree.checkpoint();
    return {
      ...rig,
      store: {
        declarations: tables,
        migrations,
        derived: derivedTables,
        db: rig.db,
        databaseUrl: open.urlOf(rig.db),
        trustedKeys: signer.trustedKeys,
      },
    };
  }

  it('gives the same report from a thread of its own and in small steps on this one', async () => {
    const { store, db } = await story();
    const workerFile = await bundleForNode('src/app/verify-worker.ts');
    const seen: number[] = [];
    const inWorker = await verifyStore({ ...store, workerFile, progress: (events) => seen.push(events) });
    const here = await verifyStore({ ...store, workerFile: 'no/such/file.js' });
    expect(inWorker).toEqual(here);
    expect(here).toMatchObject({ valid: true, events: 1200, checkpoints: 1 });
    expect(seen.at(-1)).toBe(1200);
    await db.write((uow) => uow.run(`update events set payload = '{}' where leaf = 7`));
    expect(await verifyStore({ ...store, workerFile })).toMatchObject({
      valid: false,
      faults: [{ kind: 'hash_mismatch', leaf: 7, sequence: 7 }],
    });
  });

  it('lets other work go on between its steps', async () => {
    const { store } = await story();
    let turns = 0;
    let ended = false;
    const count = () => {
      turns += 1;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    await verifyStore({ ...store, workerFile: 'no/such/file.js' });
    ended = true;
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('stops when nobody waits for it any more, and tells of a store that cannot be opened', async () => {
    const { store } = await story();
    const workerFile = await bundleForNode('src/app/verify-worker.ts');
    const gone = AbortSignal.abort(new Error('the caller has gone'));
    await expect(verifyStore({ ...store, workerFile: 'no/such/file.js', signal: gone })).rejects.toThrow(
      'gone',
    );
    const stop = new AbortController();
    const stopped = verifyStore({ ...store, workerFile, signal: stop.signal });
    stop.abort(new Error('the caller has gone'));
    await expect(stopped).rejects.toThrow('gone');
    await expect(
      verifyStore({ ...store, workerFile, databaseUrl: 'sqlite:/nowhere/at/all.db' }),
    ).rejects.toThrow();
  });
});
