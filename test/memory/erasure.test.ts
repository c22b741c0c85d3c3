import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { partsFromFlat } from '../../src/spine/dispatch/parse.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { isLeftInStore } from '../setup/left-in-store.ts';
import { AGENT, OWNER, openWorld, people, type World } from './world.ts';

describeOnEachEngine('erasure', (open) => {
  async function inWorld(
    work: (world: World, left: (word: string) => Promise<boolean>) => Promise<void>,
  ): Promise<void> {
    const url = open.urlOf(await open([]));
    const folder = await mkdtemp(join(tmpdir(), 'baton-erase-'));
    const world = await openWorld(url, folder);
    try {
      await work(world, (word) => isLeftInStore(world.app.db, url, word));
    } finally {
      await world.app.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('leaves no byte of a memory: proposal, edits, history, index, inbox, journal and file', async () => {
    await inWorld(async ({ call, approve, allow, app }, left) => {
      const id = await approve(
        {
          content: 'User keeps a quuxzebra at home',
          category: 'a2p:interests',
          context: 'said blorptapir',
          evidence: [{ type: 'user_statement', quote: 'my wugostrich' }],
        },
        { content: 'User keeps one quuxzebra' },
      );
      await approve({ content: 'User keeps a plainhorse', category: 'a2p:interests' });
      await call('ana', 'memory.edit', { id, content: 'User keeps one fleemgiraffe' });
      await allow({ priority: 1, allow: ['a2p:interests'] });
      expect((await call('helper', 'memory.recall', { query: 'fleemgiraffe' })).memories).toHaveLength(1);
      const words = ['quuxzebra', 'blorptapir', 'wugostrich', 'fleemgiraff'];
      for (const word of words) expect([word, await left(word)]).toEqual([word, true]);
      expect(await call('ana', 'memory.erase', { memory: id })).toMatchObject({ memories: 1, proposals: 1 });
      for (const word of words) expect([word, await left(word)]).toEqual([word, false]);
      expect(await left('plainhors')).toBe(true);
      const { events } = await app.feed.page({ types: ['memory.*'], limit: 100, after: 0 });
      expect(events.map(({ event }) => event.event_type)).toContain('memory.erased');
      expect((await call('ana', 'memory.list')).memories).toHaveLength(1);
    });
  });

  it('forgets one agent’s, one category, and a whole profile', async () => {
    await inWorld(async ({ call, approve }, left) => {
      await approve({ content: 'User has a gloopcough', category: 'a2p:health.conditions' });
      await approve({ content: 'User plays the snarfbanjo', category: 'a2p:interests' });
      await call('ana', 'memory.add', { content: 'I grow yimturnips', category: 'a2p:interests' });
      await call('rival', 'memory.propose', { content: 'User hums vortpolka' });
      expect(await call('ana', 'memory.erase', { category: 'a2p:health' })).toMatchObject({ memories: 1 });
      expect([await left('gloopcough'), await left('snarfbanjo')]).toEqual([false, true]);
      expect(await call('ana', 'memory.erase', { agent: AGENT })).toMatchObject({ memories: 1 });
      expect([await left('snarfbanjo'), await left('yimturnip'), await left('vortpolka')]).toEqual([
        false,
        true,
        true,
      ]);
      await call('ana', 'memory.erase', { everything: true });
      expect([await left('yimturnip'), await left('vortpolka')]).toEqual([false, false]);
      expect((await call('ana', 'memory.profile.list')).profiles).toEqual([]);
      expect((await call('ana', 'inbox.list', { kind: 'memory_proposal' })).items).toEqual([]);
    });
  });

  it('undoes a merge that repeats what is to be forgotten, and keeps its other source', async () => {
    await inWorld(async ({ call, approve }, left) => {
      const one = await approve({
        content: 'Likes drumpjazz music',
        category: 'a2p:interests.music',
        memory_type: 'semantic',
      });
      const two = await approve({
        content: 'Likes kloptechno music',
        category: 'a2p:interests.music',
        memory_type: 'semantic',
      });
      await call('ana', 'memory.merge', { memory_ids: [one, two] });
      expect(await call('ana', 'memory.erase', { memory: one })).toMatchObject({ memories: 1, unmerged: 1 });
      expect([await left('drumpjazz'), await left('kloptechno')]).toEqual([false, true]);
      expect((await call('ana', 'memory.list', { profile: OWNER })).memories).toMatchObject([
        { memory: { id: two } },
      ]);
    });
  });

  it('forgets the digests of the requests too: a guess at what was said cannot be confirmed', async () => {
    await inWorld(async ({ call, app }) => {
      const kept = async () =>
        (
          await app.db.read((reader) =>
            reader.all<{ key: string }>('select idempotency_key as key from idempotency order by 1'),
          )
        ).map(({ key }) => key);
      const once = async (who: 'ana' | 'helper', key: string, operation: string, flat: object) => {
        const bound = app.registry.get(operation)!;
        const { body } = await app.dispatcher.call(bound, {
          principal: people[who],
          parts: partsFromFlat(bound.operation, { ...flat }),
          requestId: 'r',
          signal: new AbortController().signal,
          idempotencyKey: key,
        });
        return JSON.parse(body);
      };
      const { proposal_id: id } = await once('helper', 'propose', 'memory.propose', {
        content: 'User is shy',
      });
      const { memory_id: memory } = await once('ana', 'review', 'memory.proposals.review', {
        id,
        action: 'approve',
        content: 'User is quiet',
      });
      await once('ana', 'edit', 'memory.edit', { id: memory, content: 'User is calm' });
      await once('ana', 'import', 'memory.import', { format: 'mem0', export: [{ memory: 'User is shy' }] });
      await once('ana', 'other', 'memory.add', { content: 'User is tall' });
      expect(await kept()).toEqual(['edit', 'import', 'other', 'propose', 'review']);
      await call('ana', 'memory.erase', { memory });
      expect(await kept()).toEqual(['other']);
    });
  });
});
