import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatProofBundle } from '../../kernel/proof-bundle.ts';
import { checkWhyProof, WHY_EVENT, whyDigests } from '../../kernel/why-proof.ts';
import { ed25519 } from '../../platform/index.ts';
import { createIdentity } from '../identity/identity.ts';
import { identityMigrations } from '../identity/migrations.ts';
import type { Principal } from '../identity/principal.ts';
import { roles } from '../identity/roles.ts';
import { identityTables } from '../identity/tables.ts';
import { pruneEndedSessions } from '../journal/chains/retention.ts';
import { journalMigrations } from '../journal/migrations.ts';
import { by, type Provenance, source, thing } from '../journal/provenance.ts';
import { rowEvidence } from '../journal/state/row-evidence.ts';
import { recordState } from '../journal/state/state.ts';
import { testJournal, testTree } from '../journal/testing.ts';
import { jsonTextOf } from '../operations/handler.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { createWhy } from './handlers.ts';
import { whyMigrations } from './migrations.ts';
import { whyTables } from './tables.ts';

const AGENT = { id: 'bot', type: 'agent' } as const;

/** A room whose events say themselves what they rest on. */
const notes: Provenance = {
  account: ({ event_type, payload }) =>
    event_type.startsWith('note.')
      ? {
          words: event_type,
          about: thing('note', payload.id),
          from: source('parent', 'note', payload.on),
          ...by(payload.who),
        }
      : undefined,
  rows: async (_, { projectId }) => [
    { table: 'projects', key: [projectId], shown: true },
    { table: 'actors', key: [AGENT.id], shown: false },
  ],
};

const principal = (projects: Principal['projects'], defaultProject = 'p1'): Principal => ({
  actor: AGENT,
  scopes: new Set(roles.agent),
  projects,
  defaultProject,
  credential: { kind: 'key', id: 'k' },
  owner: false,
  speaksFor: [],
  present: false,
});

describeOnEachEngine('why', (open) => {
  async function world() {
    const db = await open([...journalMigrations, ...identityMigrations, ...whyMigrations]);
    const rig = testJournal(db);
    const state = await recordState(db, { ...identityTables, ...whyTables }, rig);
    await state.adoptEmpty();
    const evidence = rowEvidence({ ...rig, db, tables: state.tables });
    const identity = createIdentity({ ...rig, db });
    const { tree, signer } = await testTree(rig);
    for (const projectId of ['p1', 'p2']) {
      await db.write((uow) => identity.ensureProject(uow, { projectId }, AGENT));
    }
    const { record } = identity;
    const parts = { db, feed: rig.feed, tree, hasher: rig.hasher, record, provenances: [notes], evidence };
    const why = createWhy(parts);
    const note = (id: string, on?: string, projectId = 'p1', type = 'note.made') =>
      db.write((uow) => record(uow, { projectId, actor: AGENT, type, payload: { id, on: on ?? null } }));
    const call = { document: undefined, requestId: 'r', signal: new AbortController().signal };
    const none = { path: undefined, headers: undefined };
    const ask = async (id: string, as = principal(['p1']), project?: string) => {
      const input = { ...none, body: undefined, query: { id, project } };
      const { body } = await why.handlers['why.explain']({ ...call, input, principal: as });
      return JSON.parse(jsonTextOf(body));
    };
    const forward = async (id: string, as = principal(['p1']), more: object = {}) => {
      const input = { ...none, body: undefined, query: { id, ...more } };
      const { body } = await why.handlers['why.forward']({ ...call, input, principal: as });
      return JSON.parse(jsonTextOf(body));
    };
    const prove = async (id: string) => {
      const input = { ...none, query: undefined, body: { id } };
      const { body } = await why.handlers['why.prove']({ ...call, input, principal: principal(['p1']) });
      return jsonTextOf(body);
    };
    return { db, rig, identity, tree, record, signer, why, parts, note, ask, forward, prove };
  }

  it('goes from a thing back to what it rests on, each step with its place in the journal', async () => {
    const { note, ask } = await world();
    await note('a');
    await note('b', 'a');
    await note('b', undefined, 'p1', 'note.changed');
    const answer = await ask('b');
    expect(answer).toMatchObject({
      project_id: 'p1',
      kind: 'note',
      nodes: [
        { id: 'b', steps: [{ type: 'note.made', by: 'bot' }, { type: 'note.changed' }] },
        { id: 'a', steps: [{ words: 'note.made' }] },
      ],
      links: [{ from: 0, to: 1, as: 'parent' }],
    });
    const [first, second] = answer.nodes[0].steps;
    expect(second.leaf).toBe(first.leaf + 1);
    expect(first.event_hash).toMatch(/^[0-9a-f]{64}$/);
    const event = await ask(first.event_id);
    expect(event).toMatchObject({ kind: 'event', nodes: [{}, { kind: 'note', id: 'b' }, { id: 'a' }] });
  });

  it('goes forwards to everything that relied on a thing, and hides what others may not see', async () => {
    const { note, forward } = await world();
    await note('a');
    await note('b', 'a');
    await note('c', 'b');
    await note('d', 'b');
    await note('elsewhere', 'a', 'p2');
    const answer = await forward('a');
    expect(answer).toMatchObject({ total: 3, complete: true, by_kind: { note: 3 }, project_id: 'p1' });
    expect(answer.things).toMatchObject([
      { id: 'b', distance: 1, as: 'parent', from: { id: 'a' }, by: 'bot', words: 'note.made' },
      { id: 'c', distance: 2, from: { id: 'b' } },
      { id: 'd', distance: 2 },
    ]);
    expect(await forward('a', principal(['p1']), { depth: 1 })).toMatchObject({ total: 1, complete: false });
    expect(await forward('a', principal(['p1']), { limit: 1 })).toMatchObject({
      total: 3,
      things: [{ id: 'b' }],
    });
    expect((await forward('d')).total).toBe(0);
    await expect(forward('a', principal(['p3'], 'p3'))).rejects.toMatchObject({ status: 404 });
    await expect(forward('elsewhere')).rejects.toMatchObject({ code: 'nothing_known' });
  });

  it('goes forwards as far as it went back, whatever the graph', async () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(edges, async (pairs) => {
        const { note, ask, forward } = await world();
        for (let n = 0; n < 10; n += 1) await note(`n${n}`);
        for (const [of, on] of pairs) await note(`n${of}`, `n${on}`);
        const back = new Map<string, string[]>();
        for (let n = 0; n < 10; n += 1) {
          const { nodes } = await ask(`n${n}`, principal(['p1']));
          for (const { id } of nodes.slice(1)) back.set(id, [...(back.get(id) ?? []), `n${n}`]);
        }
        for (let n = 0; n < 10; n += 1) {
          const { things } = await forward(`n${n}`, principal(['p1']), { depth: 6 });
          expect(things.map(({ id }: { id: string }) => id).sort()).toEqual((back.get(`n${n}`) ?? []).sort());
        }
      }),
      { numRuns: process.env.BATON_PROVE === '1' ? 30 : 2 },
    );
  });

  it('hides what is of a project that the caller cannot see', async () => {
    const { note, ask } = await world();
    await note('secret', undefined, 'p2');
    await note('here', 'secret');
    await expect(ask('secret')).rejects.toMatchObject({ status: 404, code: 'nothing_known' });
    await expect(ask('secret', principal(['p1']), 'p2')).rejects.toMatchObject({ status: 404 });
    expect((await ask('here')).nodes).toHaveLength(1);
    const there = await ask('secret', principal(['p2'], 'p2'));
    const { event_id } = there.nodes[0].steps[0];
    await expect(ask(event_id)).rejects.toMatchObject({ status: 404 });
    await expect(ask('never')).rejects.toMatchObject({ status: 404 });
  });

  it('takes the caller’s own project where two have the same id', async () => {
    const { note, ask } = await world();
    await note('twin', undefined, 'p1');
    await note('twin', undefined, 'p2');
    expect((await ask('twin', principal('all', 'p2'))).project_id).toBe('p2');
    expect((await ask('twin', principal('all', 'p2'), 'p1')).project_id).toBe('p1');
  });

  it('reads each event once, however many follow at the same time', async () => {
    const { db, parts, note, ask } = await world();
    for (let i = 0; i < 30; i += 1) await note(`n${i}`, `n${i - 1}`);
    await Promise.all([1, 2, 3].map(() => createWhy(parts).follower.catchUp()));
    const count = await db.read((reader) =>
      reader.get<{ n: number }>("select count(*) as n from why_things where kind = 'note'"),
    );
    expect(count?.n).toBe(30);
    expect((await ask('n29')).nodes).toHaveLength(7);
  });

  it('still explains what retention has dropped, and says that it has no proof', async () => {
    const { db, rig, identity, note, ask, prove, why } = await world();
    const session = await db.write((uow) =>
      identity.startSession(uow, { projectId: 'p1', actor: AGENT, goal: 'g' }),
    );
    await rig.appendOne(session.sessionId, { id: 'old', on: null }, 'note.made');
    await note('new', 'old');
    await why.follower.catchUp();
    await db.write((uow) => identity.endSession(uow, session.sessionId, 'completed'));
    rig.clock.advance({ seconds: 10 });
    await pruneEndedSessions({ ...rig, db }, rig.clock.now());
    const answer = await ask('new');
    expect(answer.nodes[1]).toMatchObject({ id: 'old', steps: [{ words: 'note.made', pruned: true }] });
    const report = await checkWhyProof(await prove('new'), rig.hasher, ed25519.verify);
    expect(report).toMatchObject({ valid: true, steps: 2 });
  });

  it('proves every step in one file, for whoever trusts the key', async () => {
    const { note, prove, rig, signer } = await world();
    await note('a');
    await note('b', 'a');
    const file = await prove('b');
    const check = (text: string, key?: string) => checkWhyProof(text, rig.hasher, ed25519.verify, key);
    expect(await check(file, signer.verifierKey)).toMatchObject({ valid: true, trusted: true, steps: 2 });
    const changed: [string, string, RegExp][] = [
      ['"words": "note.made"', '"words": "note.nade"', /note\.made of note b/],
      ['"on":"a"', '"on":"c"', /note\.made, leaf \d+/],
      ['"as": "parent"', '"as": "parens"', /^chain$/],
      ['"id": "a"', '"id": "x"', /^chain$/],
      ['"baton-why/2"', '"baton-why/3"', /^file$/],
      ['why.explained', 'why.explainet', /^attestation$/],
    ];
    for (const [from, to, step] of changed) {
      expect(file).toContain(from);
      const { valid, error } = await check(file.replace(from, to));
      expect({ from, valid }).toEqual({ from, valid: false });
      expect(error?.step).toMatch(step);
    }
  });

  it('accepts files of earlier versions, which prove no rows', async () => {
    const { db, note, ask, rig, tree, record } = await world();
    await note('a');
    const chain = await ask('a');
    const { chain: chain_digest, steps } = whyDigests(rig.hasher, chain);
    const payload = { subject_kind: 'note', subject_id: 'a', chain_digest, steps };
    await db.write((uow) => record(uow, { projectId: 'p1', actor: AGENT, type: WHY_EVENT, payload }));
    const { events } = await rig.feed.page({ types: [WHY_EVENT], limit: 1 });
    const proofOf = async (id: string) => formatProofBundle(await tree.prove(id));
    const file = `{"format":"baton-why/1","chain":${JSON.stringify(chain)},
      "attestation":${await proofOf(events[0]!.event.event_id)},
      "proofs":[${await proofOf(chain.nodes[0].steps[0].event_id)}]}`;
    const report = await checkWhyProof(file, rig.hasher, ed25519.verify);
    expect(report).toMatchObject({ valid: true, steps: 1, state: null });
  });

  it('finds every changed digit and letter of a proof', async () => {
    const { note, prove, rig } = await world();
    await note('a');
    const file = await prove('a');
    const places = [...file.matchAll(/[0-9a-f]/g)].map(({ index }) => index);
    const accepted: string[] = [];
    for (let i = 0; i < places.length; i += 7) {
      const at = places[i]!;
      const byte = file[at] === '1' ? '2' : file[at] === 'a' ? 'b' : file[at] === 'f' ? 'e' : '1';
      const text = file.slice(0, at) + byte + file.slice(at + 1);
      if ((await checkWhyProof(text, rig.hasher, ed25519.verify)).valid)
        accepted.push(file.slice(at - 20, at + 20));
    }
    expect(accepted).toEqual([]);
  });
});
