/** What people say becomes a proposal without anybody calling a tool; they decide on one card. */
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { OWNER, type World, worldsOn } from './world.ts';

const at = '2026-03-04T11:59:00Z';
const turns = (...texts: string[]) => texts.map((text, index) => ({ id: `t${index}`, text, at }));
const say = async ({ call }: World, who: 'helper' | 'rival' | 'ana', ...texts: string[]) =>
  (await call(who, 'memory.capture', { session: 's-1', client: 'Claude Code', turns: turns(...texts) }))
    .proposal_ids as string[];
const cards = async ({ call }: World) =>
  (await call('ana', 'inbox.list', { kind: 'memory_batch' })).items as {
    id: string;
    digest: string;
    title: string;
  }[];
const cardOf = async (world: World) => {
  const [card] = await cards(world);
  return world.call('ana', 'inbox.get', { id: card?.id });
};
const contents = async ({ call }: World) =>
  (await call('ana', 'memory.list')).memories.map(
    (each: { memory: { content: string } }) => each.memory.content,
  );

describeOnEachEngine('what a person says to an agent', (open) => {
  const world = worldsOn(open);
  const consenting = async () => {
    const made = await world();
    await made.allow({ allow: ['a2p:*'] });
    return made;
  };

  it('waits on one card, with where it was said', async () => {
    const made = await consenting();
    const [first] = await say(made, 'helper', 'Fix the test. I prefer tabs over spaces.', 'I live in Ghent.');
    await say(made, 'helper', 'We deploy on Tuesdays and Thursdays only.');
    expect(await cards(made)).toHaveLength(1);
    const { details, title } = await cardOf(made);
    expect(title).not.toMatch(/tabs|Ghent/);
    expect(details.about).toEqual({ did: OWNER });
    expect(details.proposals).toMatchObject([
      {
        proposal_id: first,
        content: 'I prefer tabs over spaces',
        category: 'a2p:preferences',
        evidence: [
          {
            type: 'user_statement',
            quote: 'I prefer tabs over spaces.',
            timestamp: at,
            span: { turn: 's-1 t0', start: 14, end: 40 },
          },
        ],
      },
      { content: 'I live in Ghent', category: 'a2p:identity' },
      { content: 'We deploy on Tuesdays and Thursdays only' },
    ]);
  });

  it('is decided at once', async () => {
    const made = await consenting();
    await say(made, 'helper', 'I prefer tabs over spaces.', 'I live in Ghent.');
    const { id, digest } = (await cards(made))[0]!;
    await made.call('ana', 'inbox.decide', { id, digest, decision: 'approve' });
    expect(await contents(made)).toEqual(['I prefer tabs over spaces', 'I live in Ghent']);
    expect(await cards(made)).toEqual([]);
  });

  it('is decided one by one, and the rest waits on a new card', async () => {
    const made = await consenting();
    const [tabs, ghent, deploys] = await say(
      made,
      'helper',
      'I prefer tabs over spaces.',
      'I live in Ghent.',
      'We deploy on Tuesdays only.',
    );
    const { id, digest } = (await cards(made))[0]!;
    const decisions = { [tabs!]: { action: 'approve', content: 'Prefers tabs' }, [ghent!]: 'reject' };
    await made.call('ana', 'inbox.decide', {
      id,
      digest,
      decision: 'approve_with_edits',
      edits: { decisions },
    });
    expect(await contents(made)).toEqual(['Prefers tabs']);
    const { details } = await cardOf(made);
    expect(details.proposals).toMatchObject([{ proposal_id: deploys }]);
    // By the protocol's own way too, which closes the card with its last proposal.
    await made.call('ana', 'memory.proposals.review', { id: deploys, action: 'approve' });
    expect(await contents(made)).toEqual(['Prefers tabs', 'We deploy on Tuesdays only']);
    expect(await cards(made)).toEqual([]);
  });

  it('refuses decisions on what is not on the card, and of the agent that heard it', async () => {
    const made = await consenting();
    await say(made, 'helper', 'I live in Ghent.');
    const { id, digest } = (await cards(made))[0]!;
    const decide = (who: 'ana' | 'helper' | 'ben', edits: object) =>
      made.refusal(who, 'inbox.decide', { id, digest, decision: 'approve_with_edits', edits });
    expect(await decide('ana', { decisions: { prop_x: 'approve' } })).toBe('A2P006');
    expect(await decide('ana', { decisions: {} })).toBe('A2P006');
    expect(await decide('ben', { decisions: {} })).not.toBe('ok');
    expect(await decide('helper', { decisions: {} })).not.toBe('ok');
    expect(await contents(made)).toEqual([]);
  });

  it('is not proposed again: while it waits, once it is known, or after a no', async () => {
    const made = await consenting();
    await say(made, 'helper', 'I prefer tabs over spaces.', 'I live in Ghent.');
    expect(await say(made, 'helper', 'I prefer tabs over spaces!', 'Also, I live in Ghent.')).toEqual([]);
    const { id, digest } = (await cards(made))[0]!;
    await made.call('ana', 'inbox.decide', { id, digest, decision: 'reject' });
    expect(await say(made, 'helper', 'Oh, I live in Ghent!')).toEqual([]);
    await made.call('ana', 'memory.add', { content: 'User likes chess', category: 'a2p:interests' });
    expect(await say(made, 'rival', 'I like chess.')).toEqual([]);
  });

  it('shows what is known beside it: the same said against it, and what could be one', async () => {
    const made = await consenting();
    await made.call('ana', 'memory.add', {
      content: 'I always run the linter before a commit',
      category: 'a2p:preferences',
      memory_type: 'procedural',
    });
    await say(made, 'helper', 'I never run the linter before a commit.');
    const { details } = await cardOf(made);
    expect(details.proposals[0].known).toMatchObject([
      { relation: 'conflict', content: 'I always run the linter before a commit' },
    ]);
  });

  it('is nothing without consent, with it turned off, or from what others wrote', async () => {
    const bare = await world();
    await bare.call('ana', 'memory.access.revoke', { agent: 'did:a2p:agent:local:rival' });
    expect(await say(bare, 'rival', 'I live in Ghent.')).toEqual([]);
    const made = await consenting();
    await made.call('ana', 'memory.profile.settings', { capture: 'off' });
    expect(await say(made, 'helper', 'I live in Ghent.')).toEqual([]);
    await made.call('ana', 'memory.profile.settings', { capture: 'suggest' });
    expect(await say(made, 'helper', '> I live in Ghent.', 'You said: "I live in Ghent."')).toEqual([]);
  });

  it('never fills the inbox: a card has room for a dozen', async () => {
    const made = await consenting();
    const many = [
      'Ghent',
      'Lima',
      'Oslo',
      'Porto',
      'Riga',
      'Turin',
      'Vigo',
      'Bern',
      'Lyon',
      'Kyiv',
      'Graz',
      'Metz',
      'Brno',
      'Cork',
    ];
    expect(await say(made, 'helper', ...many.map((city) => `I lived in ${city} as a child.`))).toHaveLength(
      12,
    );
    expect(await say(made, 'helper', 'I own a boat.')).toEqual([]);
  });

  it('leaves the card when it is withdrawn or erased', async () => {
    const made = await consenting();
    const [tabs, ghent] = await say(made, 'helper', 'I prefer tabs over spaces.', 'I live in Ghent.');
    await made.call('helper', 'memory.proposals.withdraw', { id: tabs });
    expect((await cardOf(made)).details.proposals).toMatchObject([{ proposal_id: ghent }]);
    await made.call('ana', 'memory.erase', { agent: 'did:a2p:agent:local:helper' });
    await made.app.drain();
    expect(await cards(made)).toEqual([]);
  });

  it('waits for the person who talks with their own key, who may then decide', async () => {
    const made = await world();
    await say(made, 'ana', 'I live in Ghent.');
    const { id, digest } = (await cards(made))[0]!;
    await made.call('ana', 'inbox.decide', { id, digest, decision: 'approve' });
    expect(await contents(made)).toEqual(['I live in Ghent']);
  });
});
