import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type App, type AppOptions, openApp } from '../../src/app/compose.ts';
import { migrations } from '../../src/app/migrations.ts';
import { readSettings } from '../../src/app/settings.ts';
import { tables } from '../../src/app/tables.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { runBaton } from '../setup/cli.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER = Buffer.alloc(32, 8).toString('base64');

describeOnEachEngine('a store whose keys are lost', (open) => {
  const folders: string[] = [];
  const apps: App[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  async function store() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-lost-'));
    folders.push(folder);
    const databaseUrl = open.urlOf(await open([]));
    const start = async (options: AppOptions = {}, env: Record<string, string> = {}) => {
      const settings = { ...readSettings({ BATON_DATA: folder, ...env }), databaseUrl };
      const app = await openApp(settings, options);
      apps.push(app);
      return app;
    };
    const stop = async () => {
      for (const app of apps.splice(0)) await app.close();
    };
    return { folder, databaseUrl, start, stop };
  }

  const eventsOf = async (app: App, type: string) =>
    (await app.feed.page({ types: [type], limit: 10, after: 0 })).events.map(({ event }) => event.payload);

  const verify = async (app: App) =>
    verifyStore({
      declarations: tables,
      migrations,
      db: app.db,
      databaseUrl: app.settings.databaseUrl,
      trustedKeys: app.tree.signer.trustedKeys,
      payloadKeys: app.payloadKeys,
      signal: new AbortController().signal,
    });

  it('is not opened without the key that signs it, and makes none; with it, it is', async () => {
    const { folder, start, stop } = await store();
    const app = await start();
    await app.tree.checkpoint();
    await stop();
    const path = join(folder, 'journal.key');
    await rename(path, `${path}.kept`);
    await expect(start()).rejects.toMatchObject({
      code: 'signing_key_missing',
      next: expect.stringContaining('baton journal rekey'),
    });
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await rename(`${path}.kept`, path);
    await start();
  });

  it('goes on with a new key only by decision, which the journal holds before the key signs', async () => {
    const { folder, start, stop } = await store();
    const app = await start();
    const before = app.tree.signer.verifierKey;
    await app.tree.checkpoint();
    await stop();
    const lost = { goingOnWithout: { signing: { known: [] } } };
    await expect(start(lost)).rejects.toMatchObject({ code: 'signing_key_present' });
    await rm(join(folder, 'journal.key'));
    await start(lost);
    await stop();
    const again = await start();
    expect(again.tree.signer.verifierKey).not.toBe(before);
    expect(await eventsOf(again, 'journal.rekeyed')).toMatchObject([
      { key: again.tree.signer.verifierKey, keys_before: [before] },
    ]);
    await again.tree.checkpoint();
    expect(await verify(again)).toMatchObject({ valid: true });
  });

  it('asks for the public key too, where that is lost with it', async () => {
    const { folder, start, stop } = await store();
    const app = await start();
    const { verifierKey } = app.tree.signer;
    await app.tree.checkpoint();
    await stop();
    await rm(join(folder, 'journal.key'));
    await rm(join(folder, 'journal.pub'));
    const lost = (known: string[]) => start({ goingOnWithout: { signing: { known } } });
    await expect(lost([])).rejects.toMatchObject({ code: 'public_key_missing' });
    const again = await lost([verifierKey]);
    await again.tree.checkpoint();
    expect(await verify(again)).toMatchObject({ valid: true });
  });

  it('is not opened without the key of its payloads, nor with another one', async () => {
    const { start, stop } = await store();
    await start({}, { BATON_PAYLOAD_KEYS: KEY });
    await stop();
    await expect(start()).rejects.toMatchObject({ code: 'payload_key_missing' });
    await expect(start({}, { BATON_PAYLOAD_KEYS: OTHER })).rejects.toMatchObject({
      code: 'payload_key_missing',
    });
    await start({}, { BATON_PAYLOAD_KEYS: `${OTHER},${KEY}` });
    await stop();
    await start({ goingOnWithout: { payloads: true } }, { BATON_PAYLOAD_KEYS: OTHER });
    await stop();
    const app = await start({}, { BATON_PAYLOAD_KEYS: `${OTHER},${KEY}` });
    expect(await eventsOf(app, 'journal.payload_key_lost')).toEqual([{}]);
  });

  it('says on the command line which way leads on, and takes it', async () => {
    const { folder, databaseUrl, start, stop } = await store();
    await start();
    await stop();
    const env = { BATON_DATA: folder, BATON_DATABASE_URL: databaseUrl };
    await rm(join(folder, 'journal.key'));
    const refused = await runBaton(['whoami'], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('baton journal rekey');
    expect(await runBaton(['journal', 'rekey'], { env })).toMatchObject({ code: 0 });
    await rm(join(folder, 'owner.key'));
    for (const command of [['whoami'], ['up', '--port', '0']]) {
      const { code, stderr } = await runBaton(command, { env });
      expect(code).not.toBe(0);
      expect(stderr).toContain('baton keys renew-owner');
    }
    expect(await runBaton(['keys', 'renew-owner'], { env })).toMatchObject({ code: 0 });
    expect(await runBaton(['whoami'], { env })).toMatchObject({ code: 0 });
  }, 60_000);
});
