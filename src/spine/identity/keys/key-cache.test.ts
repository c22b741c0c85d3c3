import { expect, it } from 'vitest';
import type { Database } from '../../storage/database.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { markRevoked } from '../credentials/credential-store.ts';
import { openIdentity, type TestIdentity, testPrincipal } from '../testing.ts';
import { createKeyCache } from './key-cache.ts';

describeOnEachEngine('keys kept in memory', (open) => {
  const newKeyId = async (room: TestIdentity) => {
    const { credential } = await room.db.write((uow) =>
      room.identity.createKey(uow, testPrincipal(), {
        actor: { id: 'a', type: 'agent' },
        scopes: ['facts:read'],
        projects: ['default'],
        defaultProject: 'default',
      }),
    );
    return credential.credentialId;
  };

  it('are read once a second, and unknown ones each time', async () => {
    const room = await openIdentity(open);
    let reads = 0;
    const db = {
      read: (work) => {
        reads++;
        return room.db.read(work);
      },
    } as Pick<Database, 'read'>;
    const cache = createKeyCache(db, room.clock);
    const keyId = await newKeyId(room);
    for (let i = 0; i < 10; i++) await cache.find(keyId);
    expect(reads).toBe(1);
    room.clock.advance({ seconds: 1 });
    await cache.find(keyId);
    expect(reads).toBe(2);
    for (let i = 0; i < 3; i++) expect(await cache.find('unknown')).toBeUndefined();
    expect(reads).toBe(5);
  });

  it('are not kept when they were read before a change and answered after it', async () => {
    const room = await openIdentity(open);
    const keyId = await newKeyId(room);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const db = {
      read: async (work) => {
        const answer = await room.db.read(work);
        await released;
        return answer;
      },
    } as Pick<Database, 'read'>;
    const cache = createKeyCache(db, room.clock);
    const before = cache.find(keyId);
    await room.db.read((reader) => reader.get('select 1 as one'));
    await room.db.write(async (uow) => {
      cache.forget(uow, keyId);
      await markRevoked(uow, keyId, '2026-01-01T00:00:00Z', room.clock.now());
    });
    release();
    await before;
    expect((await cache.find(keyId))?.revokedAt).toBe('2026-01-01T00:00:00Z');
  });
});
