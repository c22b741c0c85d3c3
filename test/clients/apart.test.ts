/**
 * Two repositories and sessions at the same time, with real clients: nothing of one gets into the other, and every
 * deposit belongs to a session.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { batonJson, runBatonIn } from './baton.ts';
import { clients, initialisedOn, proving } from './proving.ts';
import { runSession } from './session.ts';

interface Package {
  readonly package_id: string;
  readonly project_id: string;
  readonly created_by: { readonly session_id?: string | null };
}

describe.runIf(proving).each(clients)('$name in two repositories at once', (client) => {
  let place: Awaited<ReturnType<typeof initialisedOn>>;
  let other: string;
  const work = (repository: string, word: string) =>
    runSession(client, place.folder!, place.machine, {
      prompt: `Work on ${word}.`,
      repository,
      script: [
        { write: join(repository, `${word}.txt`), content: `${word}\n` },
        { shell: `echo checking ${word}` },
        { say: `Did ${word}.` },
      ],
    });

  beforeAll(async () => {
    place = await initialisedOn(client);
    other = await place.machine.repository('bank');
    const { code, stderr } = await runBatonIn(place.machine, other, 'init', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  });
  beforeEach(({ skip }) => skip(place.folder === undefined, place.missing));
  afterAll(() => place.machine.leave());

  it('keeps them apart, and two sessions of one repository too', async () => {
    const ran = await Promise.all([
      work(place.repository, 'almandine'),
      work(place.repository, 'basanite'),
      work(other, 'cerussite'),
    ]);
    for (const { code, left, stderr } of ran) expect({ code, left }, stderr).toEqual({ code: 0, left: 0 });
    const words = { shop: ['almandine', 'basanite'], bank: ['cerussite'] };
    const packages: Package[] = [];
    for (const [repository, mine, theirs] of [
      [place.repository, words.shop, words.bank],
      [other, words.bank, words.shop],
    ] as const) {
      const { turns } = await runSession(client, place.folder!, place.machine, {
        prompt: 'What was done?',
        repository,
        script: [{ say: 'I see.' }],
      });
      for (const word of mine) expect(turns[0]).toContain(`${word}.txt`);
      for (const word of theirs) expect(turns[0]).not.toContain(word);
      const { project } = JSON.parse((await place.machine.read(join(repository, '.baton/project.json')))!);
      const listed = await batonJson<Package[]>(
        place.machine,
        repository,
        'packages',
        'list',
        '--project',
        project,
      );
      expect(listed.length).toBeGreaterThanOrEqual(mine.length);
      packages.push(...listed);
    }
    expect(packages.filter(({ created_by }) => !created_by.session_id)).toEqual([]);
    // One conversation, one session: the three that ran at once did not share any.
    const sessions = new Set(packages.map(({ created_by }) => created_by.session_id));
    expect(sessions.size).toBeGreaterThanOrEqual(3);
  });
});
