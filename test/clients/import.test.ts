/** What real clients wrote down of a session that Baton did not see comes in from their own transcripts. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { batonJson, putBatonOn, runBatonIn } from './baton.ts';
import { clients, installedOn, type Place, proving } from './proving.ts';
import { runSession } from './session.ts';

const IMPORTABLE = clients.filter(({ name }) => name !== 'opencode');

describe.runIf(proving).each(IMPORTABLE)('$name, before `baton init`', (client) => {
  let place: Place;
  let repository: string;
  let other: string;
  beforeAll(async () => {
    place = await installedOn(client);
    repository = await place.machine.repository('shop');
    other = await place.machine.repository('bank');
    await putBatonOn(place.machine);
  });
  beforeEach(({ skip }) => skip(place.folder === undefined, place.missing));
  afterAll(() => place.machine.leave());

  it('leaves a transcript that tells its files, outcomes and words, once, and only where it took place', async () => {
    const work = (root: string, word: string) =>
      runSession(client, place.folder!, place.machine, {
        prompt: `Keep prices in ${word} cents. <private>The margin is 40 %.</private>`,
        repository: root,
        script: [
          { write: join(root, `${word}.ts`), content: `export const ${word} = 1;\n` },
          { shell: `echo checking ${word}; exit 3` },
          { say: `Decided: ${word} cents.` },
        ],
      });
    for (const [root, word] of [
      [repository, 'amber'],
      [other, 'birch'],
    ] as const)
      expect(await work(root, word)).toMatchObject({ code: 0, left: 0 });
    const init = await runBatonIn(place.machine, repository, 'init', '--yes');
    expect(init.code, init.stderr).toBe(0);
    const again = () => batonJson(place.machine, repository, 'import', client.name);
    expect(await again()).toMatchObject({ new: 1, failed: [] });
    expect(await again()).toMatchObject({ new: 0, unchanged: 1, failed: [] });
    const { stdout: told } = await runBatonIn(place.machine, repository, 'orient');
    for (const words of ['amber.ts', 'checking amber', 'Keep prices in amber cents', 'Decided: amber cents'])
      expect(told).toContain(words);
    for (const words of ['birch', 'margin']) expect(told).not.toContain(words);
  });
});
