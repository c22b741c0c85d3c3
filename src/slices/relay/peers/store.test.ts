import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import { deletePeer, type Peer, selectPeer, selectPeers, upsertPeer } from './store.ts';

const peer: Peer = {
  projectId: 'p1',
  id: 'writer',
  url: 'http://127.0.0.1:1/a?b=c',
  source: 'call',
  role: 'worker',
  access: 'open',
  governed: true,
  timeout_seconds: 7,
};

describeOnEachEngine('peers', (open) => {
  it('come back as they were registered', async () => {
    const db = await open(relayMigrations);
    await db.write((uow) => upsertPeer(uow, peer, 1));
    expect(await db.read((reader) => selectPeer(reader, 'p1', 'writer'))).toEqual(peer);
    expect(await db.read((reader) => selectPeer(reader, 'p1', 'Writer'))).toBeUndefined();
  });

  it('are replaced as a whole, so that no setting of before stays', async () => {
    const db = await open(relayMigrations);
    const changed: Peer = { projectId: 'p1', id: 'writer', url: 'http://127.0.0.1:2', source: 'setting' };
    await db.write((uow) => upsertPeer(uow, peer, 1));
    await db.write((uow) => upsertPeer(uow, changed, 2));
    expect(await db.read((reader) => selectPeers(reader, 'p1'))).toEqual([changed]);
  });

  it('belong to one project, and are listed by name', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      for (const id of ['b', 'a', 'c']) await upsertPeer(uow, { ...peer, id }, 1);
      await upsertPeer(uow, { ...peer, projectId: 'p2', id: 'z' }, 1);
    });
    expect((await db.read((reader) => selectPeers(reader, 'p1'))).map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await db.write((uow) => deletePeer(uow, 'p2', 'a'))).toBe(false);
    expect(await db.write((uow) => deletePeer(uow, 'p1', 'a'))).toBe(true);
    expect(await db.write((uow) => deletePeer(uow, 'p1', 'a'))).toBe(false);
    expect((await db.read((reader) => selectPeers(reader, 'p2'))).map(({ id }) => id)).toEqual(['z']);
  });
});
