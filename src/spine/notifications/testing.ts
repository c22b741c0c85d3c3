/** For tests: the whole room on a real store, with time in hand. */

import { ensureActor } from '../identity/credentials/actor-store.ts';
import { insertCredential } from '../identity/credentials/credential-store.ts';
import { createIdentity } from '../identity/identity.ts';
import { identityMigrations } from '../identity/migrations.ts';
import type { Principal } from '../identity/principal.ts';
import { roles } from '../identity/roles.ts';
import { DEFAULT_PROJECT, SYSTEM_ACTOR } from '../identity/settings.ts';
import { inboxTestMigrations, testInbox } from '../inbox/testing.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Database } from '../storage/database.ts';
import type { GivenAddress } from './addresses.ts';
import { selectChannel } from './channel-store.ts';
import { addChannel, type ChannelSettings, changeChannel } from './channels.ts';
import { type GivenMail, setMail } from './mail.ts';
import { selectMessagesOf } from './message-store.ts';
import { notificationMigrations } from './migrations.ts';
import { createNotifications } from './notifications.ts';
import { createVault } from './vault.ts';

export const notificationTestMigrations = [
  ...inboxTestMigrations,
  ...identityMigrations,
  ...notificationMigrations,
];

export type TestNotifications = Awaited<ReturnType<typeof testNotifications>>;

export async function testNotifications(db: Database, seed = 1) {
  const rig = testInbox(db, { seed });
  const { clock, random, hasher, journal, ids, jobs, inbox, feed } = rig;
  const identity = createIdentity({ db, clock, random, hasher, ids, journal });
  await db.write((uow) => identity.ensureProject(uow, { projectId: DEFAULT_PROJECT }, SYSTEM_ACTOR));
  const key = new Uint8Array(32).fill(7);
  const reach = { allowedHosts: ['127.0.0.1', 'localhost'] };
  const deps = {
    db,
    clock,
    random,
    ids,
    feed,
    inbox,
    jobs,
    limiter: identity.limiter,
    record: identity.record,
    key: () => key,
    reach,
    publicUrl: 'https://baton.example.com/',
  };
  const notifications = createNotifications(deps);
  const channelDeps = { ...deps, vault: createVault(() => key) };
  const worker = createWorker(db, new Map(Object.entries(notifications.jobs)), { clock, random });

  return {
    ...rig,
    identity,
    notifications,
    /** A person with a stored key. */
    async person(id: string, projects: 'all' | readonly string[] = 'all'): Promise<Principal> {
      const principal: Principal = {
        actor: { id, type: 'human' },
        scopes: new Set(roles.human),
        projects,
        defaultProject: DEFAULT_PROJECT,
        credential: { kind: 'key', id: `key-of-${id}` },
        owner: false,
        speaksFor: [],
        present: false,
      };
      await db.write(async (uow) => {
        await ensureActor(uow, principal.actor, clock.now());
        await insertCredential(uow, {
          ...principal,
          scopes: [...roles.human],
          credentialId: principal.credential.id,
          kind: 'key',
          label: null,
          secretHash: hasher.hex(id),
          createdAt: '2026-01-01T00:00:00.000000Z',
          createdMicros: clock.now(),
          createdBy: 'owner',
          expiresAt: null,
          expiresMicros: null,
          revokedAt: null,
          lastUsedMicros: null,
        });
      });
      return principal;
    },
    add: (by: Principal, given: GivenAddress & ChannelSettings) =>
      db.write((uow) => addChannel(uow, channelDeps, by, given)),
    change: (by: Principal, channelId: string, settings: ChannelSettings) =>
      db.write((uow) => changeChannel(uow, channelDeps, by, channelId, settings)),
    channel: (channelId: string) => db.read((reader) => selectChannel(reader, channelId)),
    setMail: (by: Principal, given: GivenMail) => setMail(db, channelDeps, { ...by, owner: true }, given),
    messages: (by: Principal) => db.read((reader) => selectMessagesOf(reader, by.actor.id, 100)),
    /** One round of what a server does by itself. */
    async round() {
      await notifications.upkeep();
      await worker.drain();
    },
  };
}
