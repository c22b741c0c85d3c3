import { expect, it } from 'vitest';
import { ed25519, nodeHasher } from '../../src/platform/index.ts';
import { applyTemplate } from '../../src/slices/memory/consent/policies.ts';
import { hmacHex } from '../../src/slices/memory/content.ts';
import { memoryMigrations } from '../../src/slices/memory/migrations.ts';
import type { MemoryDeps } from '../../src/slices/memory/ports.ts';
import { createProfile } from '../../src/slices/memory/profiles/create.ts';
import { createMemorySlice } from '../../src/slices/memory/slice.ts';
import { retryDelivery } from '../../src/slices/memory/webhooks/deliver.ts';
import { selectDeliveries } from '../../src/slices/memory/webhooks/store.ts';
import { addWebhook } from '../../src/slices/memory/webhooks/subscribe.ts';
import { createIdentity } from '../../src/spine/identity/identity.ts';
import { identityMigrations } from '../../src/spine/identity/migrations.ts';
import { DEFAULT_PROJECT, SYSTEM_ACTOR } from '../../src/spine/identity/settings.ts';
import { inboxTestMigrations, testInbox } from '../../src/spine/inbox/testing.ts';
import { createWorker } from '../../src/spine/jobs/worker.ts';
import { createSearchIndex } from '../../src/spine/search/search-index.ts';
import { searchMigrations } from '../../src/spine/search/store/migrations.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { people } from './world.ts';

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

describeOnEachEngine('webhooks of a profile', (open) => {
  it('are signed, tried again with pauses, and kept as dead letters that can be sent again', async () => {
    const db = await open([
      ...inboxTestMigrations,
      ...identityMigrations,
      ...searchMigrations,
      ...memoryMigrations,
    ]);
    const { clock, random, hasher, journal, ids, jobs, inbox } = testInbox(db);
    const identity = createIdentity({ db, clock, random, hasher, ids, journal });
    await db.write((uow) => identity.ensureProject(uow, { projectId: DEFAULT_PROJECT }, SYSTEM_ACTOR));
    const sent: Sent[] = [];
    let status = 500;
    const deps: MemoryDeps = {
      db,
      clock,
      random,
      hasher,
      jobs,
      inbox,
      record: identity.record,
      limiter: identity.limiter,
      search: createSearchIndex({ embedder: createStaticEmbedder(), clock }),
      hasSecret: () => false,
      verify: ed25519.verify,
      post: async (_url, body, headers) => {
        sent.push({ body, headers });
        return { status };
      },
    };
    const slice = createMemorySlice(deps);
    const profile = await db.write((uow) => createProfile(uow, deps, people.ana, {}));
    const { secret } = await db.write((uow) =>
      addWebhook(uow, deps, profile, people.ana.actor, 'https://example.com/h', ['policy.created']),
    );
    await db.write((uow) => applyTemplate(uow, deps, profile, people.ana.actor, 'minimal'));
    const worker = createWorker(db, new Map(Object.entries(slice.jobs)), { clock, random });
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await worker.drain();
      clock.advance({ seconds: 86_400 });
    }
    expect(sent).toHaveLength(8);
    const last = sent.at(-1) as Sent;
    const timestamp = last.headers['a2p-timestamp'];
    expect(last.headers['a2p-webhook-signature']).toBe(
      `sha256=${hmacHex(nodeHasher, new TextEncoder().encode(secret), `${timestamp}.${last.body}`)}`,
    );
    expect(JSON.parse(last.body)).toMatchObject({ eventType: 'policy.created', metadata: { retryCount: 7 } });
    const deliveries = (state: string) =>
      db.read((reader) => selectDeliveries(reader, profile.did, state, 10));
    const [dead] = await deliveries('dead');
    status = 204;
    await db.write((uow) => retryDelivery(uow, deps, profile, dead?.eventId ?? ''));
    await worker.drain();
    expect([await deliveries('dead'), (await deliveries('delivered')).length]).toEqual([[], 1]);
  });
});
