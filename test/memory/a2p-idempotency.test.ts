import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { OWNER, worldsOn } from './world.ts';

describeOnEachEngine('an idempotency key on a2p’s wire', (open) => {
  const world = worldsOn(open);
  const tea = { content: 'User likes tea' };
  const keyed = (key: string, more: object) => ({ did: OWNER, 'idempotency-key': key, ...more });

  it('gets the first answer for the same request, whatever has happened since', async () => {
    const { answer, call, refusal } = await world();
    const first = await answer('helper', 'a2p.propose', keyed('k1', { proposal: tea }));
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const { proposalId: id } = first.body;
    await call('ana', 'a2p.proposals.review', keyed('r1', { id, action: 'reject' }));
    const again = await answer('helper', 'a2p.propose', keyed('k1', { proposal: tea }));
    expect(again).toMatchObject({ body: first.body, headers: { 'idempotent-replayed': 'true' } });
    expect(await refusal('helper', 'a2p.propose', keyed('k2', { proposal: tea }))).toBe(
      'proposal_declined_before',
    );
    const reviewed = await answer('ana', 'a2p.proposals.review', keyed('r1', { id, action: 'reject' }));
    expect(reviewed).toMatchObject({
      body: { status: 'rejected' },
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  it('is refused for another request, and belongs to one credential', async () => {
    const { answer, call, refusal } = await world();
    const { body } = await answer('helper', 'a2p.propose', keyed('k1', { proposal: tea }));
    const coffee = keyed('k1', { proposal: { content: 'User likes coffee' } });
    expect(await refusal('helper', 'a2p.propose', coffee)).toBe('idempotency_conflict');
    expect(await refusal('helper', 'a2p.proposals.withdraw', keyed('k1', { id: body.proposalId }))).toBe(
      'idempotency_conflict',
    );
    const other = await call('rival', 'a2p.propose', keyed('k1', { proposal: tea }));
    expect(other.proposalId).not.toBe(body.proposalId);
  });

  it('keeps no answer to what was refused, and one receipt for one request', async () => {
    const { call, refusal, allow } = await world();
    await call('ana', 'memory.access.revoke', { agent: 'did:a2p:agent:local:helper' });
    expect(await refusal('helper', 'a2p.propose', keyed('k1', { proposal: tea }))).toBe('A2P004');
    await call('ana', 'memory.access.restore', { agent: 'did:a2p:agent:local:helper' });
    expect(await refusal('helper', 'a2p.propose', keyed('k1', { proposal: tea }))).toBe('ok');
    await allow({ priority: 1, allow: ['a2p:interests'] });
    const wanted = keyed('k3', { scopes: ['a2p:interests'], purpose: 'personalization' });
    const { receiptId } = await call('helper', 'a2p.access.request', wanted);
    expect((await call('helper', 'a2p.access.request', wanted)).receiptId).toBe(receiptId);
  });

  it('is forgotten with what was erased', async () => {
    const { call, app } = await world();
    await call('helper', 'a2p.propose', keyed('k1', { proposal: tea }));
    const kept = () => app.db.read((reader) => reader.all('select idempotency_key from idempotency'));
    expect(await kept()).toHaveLength(1);
    await call('ana', 'memory.erase', { agent: 'did:a2p:agent:local:helper' });
    expect(await kept()).toEqual([]);
  });
});
