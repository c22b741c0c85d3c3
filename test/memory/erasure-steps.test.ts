import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachEngine, describeOnSqlite } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { isLeftInStore } from '../setup/left-in-store.ts';
import { runWriter } from '../storage/run-writer.ts';
import { OWNER, openWorld, type World, worldsOn } from './world.ts';

const WORD = 'gloopcough';

/** More than one step removes. */
async function manyMemories({ call }: World, count: number): Promise<void> {
  await call('ana', 'memory.profile.import', {
    document: {
      id: OWNER,
      version: '0.1.0',
      profileType: 'human',
      identity: { did: OWNER },
      memories: {
        'a2p:semantic': Array.from({ length: count }, (_, n) => ({
          id: `mem_h${n}`,
          content: `${WORD} number ${n}`,
          category: n % 2 === 0 ? 'a2p:health' : 'a2p:semantic.health.conditions',
        })),
        'a2p:episodic': [{ id: 'mem_other', content: 'Likes plainhorses', category: 'a2p:interests' }],
      },
    },
  });
}

let script: string;
const folders: string[] = [];
beforeAll(async () => {
  script = await bundleForNode(fileURLToPath(new URL('./erase.child.ts', import.meta.url)));
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describeOnEachEngine('an erasure whose process is killed', (open) => {
  it('goes on where it stood, however often it is killed, and ends with nothing left', async () => {
    const url = open.urlOf(await open([]));
    const folder = await mkdtemp(join(tmpdir(), 'baton-erasure-'));
    folders.push(folder);
    const world = await openWorld(url, folder, { bare: true });
    await manyMemories(world, 450);
    expect(await isLeftInStore(world.app.db, url, WORD)).toBe(true);
    await world.app.close();
    const run = (fault: string) => runWriter(script, [url, folder, fault]);
    const kills: string[] = [];
    // Each of these does one step and dies, before or after it is committed.
    for (const fault of ['before.commit', ...Array(5).fill('after.commit'), 'before.commit']) {
      const { signal, errors } = await run(fault);
      expect(errors).toBe('');
      if (signal === 'SIGKILL') kills.push(fault);
      else break;
    }
    expect(kills.length).toBeGreaterThanOrEqual(5);
    if (open.engine === 'sqlite') {
      for (const fault of ['compact.emptied', 'compact.rewritten'])
        expect(await run(fault)).toMatchObject({ signal: 'SIGKILL' });
    }
    const last = await run('');
    expect(last).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(last.acknowledged[0] ?? '')).toMatchObject({ memories: 450, target: 'a2p:health' });
    const again = await openWorld(url, folder, { bare: true, seed: 9 });
    try {
      await expect
        .poll(async () => (await again.call('ana', 'memory.erase', { category: 'a2p:health' })).state)
        .toBe('done');
      const { erasures } = await again.call('ana', 'memory.erasures');
      expect(erasures).toMatchObject([{ state: 'done', memories: 450, remains: [] }]);
      expect(await isLeftInStore(again.app.db, url, WORD)).toBe(false);
      expect(await isLeftInStore(again.app.db, url, 'plainhorse')).toBe(true);
    } finally {
      await again.app.close();
    }
  }, 120_000);

  it('is ended by the next process that works off what is due, without being asked again', async () => {
    const url = open.urlOf(await open([]));
    const folder = await mkdtemp(join(tmpdir(), 'baton-erasure-'));
    folders.push(folder);
    const world = await openWorld(url, folder, { bare: true });
    await manyMemories(world, 10);
    await world.app.close();
    // Killed after the commit that begins it; commits before that count the request and open a session for it.
    let again: Awaited<ReturnType<typeof openWorld>>;
    for (let passed = 0; ; passed += 1) {
      expect(passed).toBeLessThan(6);
      expect(await runWriter(script, [url, folder, 'after.commit', String(passed)])).toMatchObject({
        signal: 'SIGKILL',
      });
      again = await openWorld(url, folder, { bare: true, seed: 9 + passed });
      if ((await again.call('ana', 'memory.erasures')).erasures.length > 0) break;
      await again.app.close();
    }
    try {
      // The child used the real clock.
      again.clock.advance({ seconds: Date.now() / 1000 });
      await expect
        .poll(async () => {
          again.clock.advance({ seconds: 3600 });
          await again.app.drain();
          return (await again.call('ana', 'memory.erasures')).erasures;
        })
        .toMatchObject([{ state: 'done', memories: 10 }]);
      expect(await isLeftInStore(again.app.db, url, WORD)).toBe(false);
    } finally {
      await again.app.close();
    }
  });
});

describeOnSqlite('an erasure while another process reads the file', (open) => {
  const world = worldsOn(open);

  it('answers that bytes are left and why, is the same when repeated, and ends once the reader has gone', async () => {
    const { call, approve, app, clock } = await world();
    const path = app.settings.databaseUrl.slice('sqlite:'.length);
    const id = await approve({ content: `User has a ${WORD}`, category: 'a2p:health' });
    const holder = new DatabaseSync(path, { readOnly: true });
    holder.exec('begin');
    holder.prepare('select count(*) from memory_texts').get();
    const first = await call('ana', 'memory.erase', { memory: id });
    expect(first).toMatchObject({
      state: 'removed',
      memories: 1,
      proposals: 1,
      finished_at: null,
      remains: [{ where: 'wal', why: expect.stringContaining('reading the data file') }],
    });
    expect((await call('ana', 'memory.list')).memories).toEqual([]);
    const left = async () => {
      const folder = dirname(path);
      const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file))));
      return files.some((bytes) => bytes.includes(WORD));
    };
    expect(await left()).toBe(true);
    const second = await call('ana', 'memory.erase', { memory: id });
    expect(second).toMatchObject({ erasure_id: first.erasure_id, state: 'removed', memories: 1 });
    expect(await call('ana', 'memory.erasure.get', { id: first.erasure_id })).toMatchObject({
      state: 'removed',
    });
    holder.exec('rollback');
    holder.close();
    clock.advance({ seconds: 3600 });
    await app.drain();
    expect(await call('ana', 'memory.erase', { memory: id })).toMatchObject({
      erasure_id: first.erasure_id,
      state: 'done',
      memories: 1,
      remains: [],
    });
    expect(await left()).toBe(false);
  }, 60_000);
});

describeOnEachEngine('an erasure that is repeated', (open) => {
  const world = worldsOn(open);

  it('is answered with its outcome: of a memory, an agent, a category and the whole profile', async () => {
    const { call, approve, refusal } = await world();
    const id = await approve({ content: 'User likes tea', category: 'a2p:interests' });
    await approve({ content: 'User has a cough', category: 'a2p:health' });
    await approve({ content: 'User likes jazz', category: 'a2p:interests' });
    for (const scope of [
      { memory: id },
      { category: 'a2p:health' },
      { agent: 'did:a2p:agent:local:helper' },
      { profile: OWNER, everything: true },
    ]) {
      const first = await call('ana', 'memory.erase', scope);
      const again = await call('ana', 'memory.erase', scope);
      expect(again).toMatchObject({ erasure_id: first.erasure_id, memories: first.memories });
    }
    expect(await call('ana', 'memory.erase', { everything: true })).toMatchObject({ what: 'profile' });
    expect(await call('ana', 'memory.erase', { profile: OWNER, memory: id })).toMatchObject({ memories: 1 });
    // Nobody else learns of it, and what never was is still missing.
    expect(await refusal('ben', 'memory.erase', { profile: OWNER, everything: true })).toBe('A2P004');
    expect((await call('ben', 'memory.erasures')).erasures).toEqual([]);
    const [one] = (await call('ana', 'memory.erasures')).erasures;
    expect(await refusal('ben', 'memory.erasure.get', { id: one.erasure_id })).toBe('A2P003');
    await call('ana', 'memory.profile.create', { did: OWNER });
    expect(await refusal('ana', 'memory.erase', { memory: 'mem_never' })).toBe('A2P003');
  });

  it('never takes the next person’s profile, though its own is gone', async () => {
    const { call, refusal } = await world();
    await call('ben', 'memory.profile.create', { did: 'did:a2p:user:local:ben' });
    await call('ana', 'memory.erase', { everything: true });
    await call('ana', 'memory.erase', { everything: true });
    expect(await refusal('server', 'memory.erase', { everything: true })).toBe('memory_profile_missing');
    expect((await call('ben', 'memory.profile.list')).profiles).toHaveLength(1);
  });

  it('undoes merges of merges, the outer first', async () => {
    const { call, approve } = await world();
    const make = (content: string) =>
      approve({ content, category: 'a2p:interests.music', memory_type: 'semantic' });
    const [one, two, three] = [
      await make('Likes jazz'),
      await make('Likes techno'),
      await make('Likes folk'),
    ];
    const { memory_id: inner } = await call('ana', 'memory.merge', { memory_ids: [one, two] });
    await call('ana', 'memory.merge', { memory_ids: [inner, three] });
    expect(await call('ana', 'memory.erase', { memory: one })).toMatchObject({ memories: 1, unmerged: 2 });
    const { memories } = await call('ana', 'memory.list');
    expect(memories.map((each: { memory: { id: string } }) => each.memory.id).sort()).toEqual(
      [two, three].sort(),
    );
  });
});
