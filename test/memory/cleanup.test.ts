/** What has gone bad over time, and a proposal for each that can be carried out as it is. */
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { OWNER, type World, worldsOn } from './world.ts';

const DAY = 86_400;

interface Finding {
  readonly kind: string;
  readonly things: readonly { readonly kind: string; readonly id: string; readonly text: string }[];
  readonly proposal: { readonly operation: string; readonly input: Record<string, unknown> } | null;
}

const reported = async ({ call }: World, flat: object = {}) =>
  (await call('ana', 'memory.cleanup', { ...flat })).findings as Finding[];
const kinds = (findings: readonly Finding[]) => findings.map(({ kind }) => kind).sort();
const add = async ({ call }: World, content: string, more: object = {}) =>
  (
    await call('ana', 'memory.add', {
      content,
      category: 'a2p:preferences',
      memory_type: 'semantic',
      ...more,
    })
  ).id;

describeOnEachEngine('the report on memories', (open) => {
  const world = worldsOn(open);

  it('names each kind of rot once, and nothing that is well', async () => {
    const made = await world();
    const { clock } = made;
    await add(made, 'User prefers tabs over spaces');
    await add(made, 'The user prefers tabs over spaces!');
    await add(made, 'Likes long walks on the beach near Ostend in the early morning');
    await add(made, 'Likes long walks on the beach near Ostend in the morning');
    await add(made, 'Works at the hospital in Ghent');
    await add(made, 'No longer works at the hospital in Ghent');
    await add(made, 'The deploy token is ghp_abcdefghijklmnopqrstuvwxyz0123456789');
    await add(made, `Plays the cello. ${'And that goes on for quite a while. '.repeat(30)}`);
    expect(kinds(await reported(made))).toEqual(
      ['contradiction', 'exact_duplicate', 'near_duplicate', 'oversized', 'secret'].sort(),
    );
    clock.advance({ seconds: 100 * DAY });
    expect(kinds(await reported(made))).toContain('never_read');
    clock.advance({ seconds: 900 * DAY });
    expect(kinds(await reported(made))).toContain('faded');
  });

  it('never repeats a secret', async () => {
    const made = await world();
    await add(made, 'The deploy token is ghp_abcdefghijklmnopqrstuvwxyz0123456789');
    expect(JSON.stringify(await reported(made))).not.toContain('ghp_');
  });

  it('proposes what can be carried out as it is, until nothing is left', async () => {
    const made = await world();
    await add(made, 'User prefers tabs over spaces');
    await add(made, 'The user prefers tabs over spaces!');
    await add(made, 'Works at the hospital in Ghent');
    await add(made, 'No longer works at the hospital in Ghent');
    await add(made, 'The deploy token is ghp_abcdefghijklmnopqrstuvwxyz0123456789');
    await add(made, `Plays the cello. ${'And that goes on for quite a while. '.repeat(30)}`);
    for (const { proposal } of await reported(made)) {
      expect(await made.refusal('ana', proposal?.operation ?? '', proposal?.input)).toBe('ok');
    }
    expect(await reported(made)).toEqual([]);
  });

  it('can be of imports alone, and is for the person only', async () => {
    const made = await world();
    await add(made, 'User prefers tabs over spaces');
    await add(made, 'The user prefers tabs over spaces!');
    expect(await reported(made, { imported: true })).toEqual([]);
    expect(await made.refusal('helper', 'memory.cleanup', { profile: OWNER })).not.toBe('ok');
  });
});

describeOnEachEngine('the report on packages and facts', (open) => {
  const world = worldsOn(open);
  const write = ({ call }: World, title: string, content_md: string) =>
    call('server', 'packages.write', { title, content_md });
  const report = async ({ call }: World) =>
    (await call('server', 'context.cleanup', { project_id: 'default' })).findings as Finding[];

  it('names doubled packages, secrets, and facts whose keys differ in spelling', async () => {
    const made = await world();
    const text =
      'The importer reads each line once, keeps what it does not know, and reports the rest at the end.';
    await write(made, 'Importer', text);
    await write(made, 'Importer', text);
    await write(made, 'Keys', 'Use ghp_abcdefghijklmnopqrstuvwxyz0123456789 for the mirror.');
    await write(made, 'Parser', 'A hand-written parser, because the grammar is small and the errors matter.');
    const assert = (subject: string, predicate: string, value: string) =>
      made.call('server', 'facts.assert', { project_id: 'default', subject, predicate, value });
    await assert('deploy_target', 'region', 'Frankfurt');
    await assert('Deploy target', 'Region', 'Dublin');
    await assert('database', 'port', '5432');
    const found = await report(made);
    expect(kinds(found)).toEqual(['contradiction', 'exact_duplicate', 'secret']);
    const older = found.find(({ kind }) => kind === 'contradiction');
    expect(older).toMatchObject({
      proposal: { operation: 'facts.retract', input: { subject: 'deploy_target', predicate: 'region' } },
    });
    expect(await made.refusal('server', 'facts.retract', older?.proposal?.input)).toBe('ok');
    expect(kinds(await report(made))).toEqual(['exact_duplicate', 'secret']);
  });
});
