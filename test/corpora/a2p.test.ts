/** The published schemas and examples of a2p, read from `../shared/corpora` or `BATON_CORPORA`; not part of this repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT, openWorld, type World } from '../memory/world.ts';

const corpus = join(resolve(process.env.BATON_CORPORA ?? '../shared/corpora'), 'a2p');
const present = existsSync(join(corpus, 'schemas'));
if (!present) console.warn(`Skipped the a2p schemas: there is no folder ${corpus} (set BATON_CORPORA).`);

describe.skipIf(!present)('what we write, by the published schemas of a2p', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  let world: World;
  let folder: string;

  beforeAll(async () => {
    for (const file of readdirSync(join(corpus, 'schemas')).filter((name) => name.endsWith('.schema.json'))) {
      const schema = JSON.parse(readFileSync(join(corpus, 'schemas', file), 'utf8'));
      ajv.addSchema({ ...schema, $id: `https://a2p.protocol/schemas/v0.1/${file}` });
    }
    folder = await mkdtemp(join(tmpdir(), 'baton-a2p-'));
    world = await openWorld(`sqlite:${join(folder, 'baton.db')}`, folder);
    const { call, approve, allow } = world;
    await allow({ priority: 1, name: 'Helpers', allow: ['a2p:preferences.*', 'a2p:interests'] });
    await call('ana', 'memory.webhook.add', { url: 'https://example.com/hook' });
    const one = await approve({
      content: 'Likes jazz music',
      category: 'a2p:interests',
      memory_type: 'semantic',
    });
    const two = await approve(
      { content: 'Enjoys electronic music', category: 'a2p:interests', memory_type: 'semantic' },
      { content: 'Likes electronic music' },
    );
    await call('ana', 'memory.merge', { memory_ids: [one, two] });
    await call('helper', 'memory.recall', { query: 'music' });
    await call('helper', 'memory.propose', {
      content: 'Prefers tea',
      category: 'a2p:preferences.drinks',
      evidence: [{ type: 'inferred' }],
    });
    const { proposal_id: id } = await call('helper', 'memory.propose', {
      content: 'Prefers rum',
      category: 'a2p:preferences.drinks',
    });
    await call('ana', 'memory.proposals.review', { id, action: 'reject', reason: 'No' });
  });
  afterAll(async () => {
    await world?.app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const faultsOf = (schema: string, value: unknown) => {
    const validate = ajv.getSchema(`https://a2p.protocol/schemas/v0.1/${schema}`);
    if (!validate) throw new Error(`no schema ${schema}`);
    return validate(value) ? [] : validate.errors;
  };

  it('is a valid profile, with its memories, proposals and policies', async () => {
    const profile = await world.call('ana', 'memory.profile.export', { shape: 'schema' });
    expect(profile.pendingProposals).toHaveLength(4);
    expect(faultsOf('profile.schema.json', profile)).toEqual([]);
  });

  it('is a valid receipt, with its access log', async () => {
    const { receipts } = await world.call('ana', 'memory.access', { agent: AGENT });
    expect(receipts.length).toBeGreaterThan(0);
    for (const receipt of receipts) expect(faultsOf('consent-receipt.schema.json', receipt)).toEqual([]);
  });

  it('is a valid webhook event', async () => {
    const rows = await world.app.db.read((reader) =>
      reader.all<{ event: string }>('select event from memory_deliveries'),
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { event } of rows)
      expect(faultsOf('webhook-events.schema.json#/$defs/webhookEvent', JSON.parse(event))).toEqual([]);
  });

  it('survives every example that looks like a profile, without losing a member', async () => {
    const files = readdirSync(join(corpus, 'examples')).filter(
      (name) => name.endsWith('.json') && name !== 'INDEX.json',
    );
    let profiles = 0;
    for (const file of files) {
      const document = JSON.parse(readFileSync(join(corpus, 'examples', file), 'utf8'));
      if (
        typeof document.memories !== 'object' ||
        typeof document.id !== 'string' ||
        !document.id.startsWith('did:a2p:')
      )
        continue;
      const own = { ...document, id: `did:a2p:user:test:example${profiles}` };
      const code = await world.refusal('ana', 'memory.profile.import', { document: own });
      if (code !== 'ok') {
        expect([file, code]).toEqual([file, 'A2P006']);
        continue;
      }
      profiles += 1;
      const out = await world.call('ana', 'memory.profile.export', { profile: own.id });
      const withoutIds = (value: unknown) =>
        JSON.parse(JSON.stringify(value).replace(/"id":"mem_[^"]*",?/g, ''));
      expect(withoutIds(out)).toEqual(withoutIds(own));
    }
    expect(profiles).toBeGreaterThan(3);
  });
});
