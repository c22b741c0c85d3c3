/**
 * What a session leaves for the next one, with real clients and a model that never calls Baton: files, outcomes and the
 * person's words arrive in the second session's first request by themselves.
 */

import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from './model/script.ts';
import { clients, initialisedOn, proving } from './proving.ts';
import { runSession } from './session.ts';

const PAIRS = 10;
const WORDS = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbor', 'iris', 'juniper'];

describe.runIf(proving).each(clients)('$name, after `baton init`', (client) => {
  let place: Awaited<ReturnType<typeof initialisedOn>>;
  const session = (prompt: string, script: readonly Step[], resume = false) =>
    runSession(client, place.folder!, place.machine, {
      prompt,
      repository: place.repository,
      script,
      resume,
    });

  beforeAll(async () => {
    place = await initialisedOn(client);
  });
  beforeEach(({ skip }) => skip(place.folder === undefined, place.missing));
  afterAll(() => place.machine.leave());

  it(`begins ${PAIRS} of ${PAIRS} second sessions with what the first one did`, async () => {
    const missed: string[] = [];
    for (const word of WORDS.slice(0, PAIRS)) {
      const first = await session(`Keep prices in ${word} cents, never in floats.`, [
        { write: join(place.repository, `${word}-basket.ts`), content: `export const ${word} = 1;\n` },
        { shell: `echo checking ${word}; exit 3` },
        { say: `Decided: ${word} cents. Open: should tax be rounded per line?` },
      ]);
      expect({ word, code: first.code, left: first.left }).toEqual({ word, code: 0, left: 0 });
      const second = await session('Where were we?', [{ say: 'I know.' }]);
      const told = second.turns[0] ?? '';
      const wanted = {
        file: `${word}-basket.ts`,
        outcome: `checking ${word}`,
        'the words of the prompt': `${word} cents, never in floats`,
        'the words of the answer': `Decided: ${word} cents`,
      };
      for (const [what, text] of Object.entries(wanted))
        if (!told.includes(text)) missed.push(`${word}: ${what}`);
    }
    expect(missed).toEqual([]);
  });

  // Gemini CLI compresses only what lies before the present prompt, to which this start's orientation belongs.
  it('brings the orientation back after a compaction', async () => {
    await session('Name the release heron.', [
      { write: join(place.repository, 'heron.md'), content: 'heron\n' },
      { say: 'Named it heron.' },
    ]);
    const resume = client.name === 'gemini';
    if (resume) await session('Begin.', [{ shell: 'seq 1 2000' }, { say: 'begun' }]);
    const script: Step[] = [
      { shell: 'echo first', ...(resume && { tokens: client.fullContext }) },
      { shell: 'echo second', tokens: client.fullContext },
      { shell: 'echo third' },
      { say: 'done' },
    ];
    const { turns, left } = await session('Go on.', script, resume);
    expect(left).toBe(0);
    expect(turns.at(-1)).toContain('summed up');
    expect(turns.at(-1)).toContain('heron.md');
  });
});
