import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { openIdentity, testPrincipal } from '../testing.ts';

describeOnEachEngine('the owner key', (open) => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'baton-owner-')), 'data');
    path = join(folder, 'owner.key');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  const tokenInFile = async () => (await readFile(path, 'utf8')).trim();

  it('is made at the first start, for the owner alone, and found again at the next', async () => {
    const room = await openIdentity(open);
    expect(await room.identity.ownerKey.prepare(folder)).toEqual({ state: 'made', path });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['owner.key']);
    const principal = await room.identity.authenticate({ apiKey: await tokenInFile() });
    expect(principal).toMatchObject({
      actor: { id: 'owner', type: 'human' },
      projects: 'all',
      defaultProject: 'default',
      credential: { kind: 'owner' },
      present: false,
    });
    expect(principal.scopes.has('*')).toBe(true);
    expect(await room.identity.ownerKey.prepare(folder)).toEqual({ state: 'ready', path });
    const created = (await room.events()).filter((event) => event.type === 'key.created');
    expect(created).toHaveLength(1);
    expect(JSON.stringify(created)).not.toContain((await tokenInFile()).split('_')[2]);
    await room.identity.settled();
  });

  it('is the same for processes that start at once', async () => {
    const room = await openIdentity(open);
    const beside = await openIdentity(open, { beside: room.db, seed: 2 });
    const states = await Promise.all(
      [room, beside, room, beside].map(({ identity }) => identity.ownerKey.prepare(folder)),
    );
    expect(states.filter(({ state }) => state === 'made')).toHaveLength(1);
    expect(states.every(({ state }) => state !== 'lost')).toBe(true);
    await room.identity.authenticate({ apiKey: await tokenInFile() });
    await room.identity.settled();
  });

  it('is not made anew when its file is lost or changed', async () => {
    const room = await openIdentity(open);
    await room.identity.ownerKey.prepare(folder);
    const token = await tokenInFile();
    for (const content of [undefined, 'nonsense', token.replace(/.$/, (c) => (c === '0' ? '1' : '0'))]) {
      if (content === undefined) await rm(path);
      else await writeFile(path, content);
      expect(await room.identity.ownerKey.prepare(folder)).toEqual({ state: 'lost', path });
    }
    await writeFile(path, `${token}\n\n`);
    expect(await room.identity.ownerKey.prepare(folder)).toEqual({ state: 'ready', path });
  });

  it('is replaced on demand, which ends the old one', async () => {
    const room = await openIdentity(open);
    await expect(room.identity.ownerKey.renew(folder)).rejects.toMatchObject({ code: 'owner_key_lost' });
    await room.identity.ownerKey.prepare(folder);
    const old = await tokenInFile();
    await room.identity.ownerKey.renew(folder);
    await expect(room.identity.authenticate({ apiKey: old })).rejects.toMatchObject({ code: 'unauthorized' });
    const principal = await room.identity.authenticate({ apiKey: await tokenInFile() });
    expect(principal.credential.kind).toBe('owner');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(
      room.db.write((uow) => room.identity.revokeKey(uow, testPrincipal(), principal.credential.id)),
    ).rejects.toMatchObject({ code: 'owner_key_stays' });
    await room.identity.settled();
  });

  it('is taken over from a file that was there before the store, and guarded', async () => {
    const first = await openIdentity(open);
    await first.identity.ownerKey.prepare(folder);
    const token = await tokenInFile();
    await chmod(path, 0o644);
    const second = await openIdentity(open, { seed: 9 });
    expect(await second.identity.ownerKey.prepare(folder)).toEqual({ state: 'made', path });
    expect(await tokenInFile()).toBe(token);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await second.identity.authenticate({ authorization: `Bearer ${token}` });
    await second.identity.settled();
  });

  it('replaces a file that holds no key when there is no owner yet', async () => {
    const room = await openIdentity(open);
    await room.identity.ownerKey.prepare(join(folder, '..'));
    const other = await openIdentity(open, { seed: 3 });
    await writeFile(join(folder, '..', 'owner.key'), '');
    expect((await other.identity.ownerKey.prepare(join(folder, '..'))).state).toBe('made');
    const token = (await readFile(join(folder, '..', 'owner.key'), 'utf8')).trim();
    await other.identity.authenticate({ apiKey: token });
    await other.identity.settled();
  });
});
