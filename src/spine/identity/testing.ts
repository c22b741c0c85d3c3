/** For tests: the whole room on a real store, with time and randomness in hand. */

import { uuidV7Source } from '../../kernel/ids.ts';
import { nodeHasher } from '../../platform/node-hasher.ts';
import { type FakeClock, fakeClock, seededRandom } from '../../platform/testing.ts';
import { createJournal } from '../journal/journal.ts';
import { journalMigrations } from '../journal/migrations.ts';
import type { Database } from '../storage/database.ts';
import type { Migration } from '../storage/migration.ts';
import type { OpenForTest } from '../storage/testing.ts';
import { createIdentity, type Identity } from './identity.ts';
import { identityMigrations } from './migrations.ts';
import type { Actor, Principal } from './principal.ts';
import { roles } from './roles.ts';
import { DEFAULT_PROJECT, type IdentitySettings, SYSTEM_ACTOR } from './settings.ts';

export interface TestIdentity {
  readonly db: Database;
  readonly clock: FakeClock;
  readonly identity: Identity;
  /** What the journal holds, oldest first. */
  events(): Promise<TestEvent[]>;
}

export interface TestEvent {
  readonly type: string;
  readonly chainId: string;
  readonly projectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const ownerActor: Actor = { id: 'owner', type: 'human' };

export async function openIdentity(
  open: OpenForTest,
  options: {
    readonly settings?: IdentitySettings;
    readonly seed?: number;
    readonly migrations?: readonly Migration[];
    readonly beside?: Database;
  } = {},
): Promise<TestIdentity> {
  const migrations = [...journalMigrations, ...identityMigrations, ...(options.migrations ?? [])];
  const db = await open(migrations, options.beside ? { beside: options.beside } : {});
  const clock = fakeClock();
  const random = seededRandom(options.seed ?? 1);
  const ids = uuidV7Source(clock, random);
  const journal = createJournal({ hasher: nodeHasher, ids, clock });
  const identity = createIdentity({
    db,
    clock,
    random,
    hasher: nodeHasher,
    ids,
    journal,
    settings: { passphraseCost: 1024, ...options.settings },
  });
  await db.write((uow) => identity.ensureProject(uow, { projectId: DEFAULT_PROJECT }, SYSTEM_ACTOR));
  return { db, clock, identity, events: () => eventsOf(db) };
}

/** A principal without a credential row behind it; the owner's, unless another kind of credential is given. */
export function testPrincipal(over: Partial<Principal> = {}): Principal {
  const credential = over.credential ?? { kind: 'owner', id: 'test' };
  const owner = credential.kind === 'owner';
  return {
    actor: ownerActor,
    scopes: new Set(owner ? roles.owner : ['*']),
    projects: 'all',
    defaultProject: DEFAULT_PROJECT,
    credential,
    owner,
    speaksFor: owner ? ['*'] : [],
    present: false,
    ...over,
  };
}

async function eventsOf(db: Database): Promise<TestEvent[]> {
  const rows = await db.read((reader) =>
    reader.all<{ event_type: string; chain_id: string; project_id: string; payload: string }>(
      'select event_type, chain_id, project_id, payload from events order by seq',
    ),
  );
  return rows.map((row) => ({
    type: row.event_type,
    chainId: row.chain_id,
    projectId: row.project_id,
    payload: JSON.parse(row.payload),
  }));
}
