import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { checks, unobservable } from '../../packages/conformance/src/agentic/run.ts';
import { PROVED_BY_TESTS, REQUIREMENTS } from './requirements.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = ['test/context', 'test/http', 'test/mcp', 'src/slices/context'];

/** The source of every test that may prove something; titles stand in it as they are written. */
async function testSources(): Promise<string> {
  const texts: string[] = [];
  for (const place of PLACES) {
    const names = await readdir(join(ROOT, place), { recursive: true });
    for (const name of names.filter((one) => one.endsWith('.test.ts') && one !== 'requirements.test.ts')) {
      texts.push(await readFile(join(ROOT, place, name), 'utf8'));
    }
  }
  return texts.join('\n');
}

describe('the requirement table', () => {
  const checked = new Set(checks.map(({ id }) => id));
  let sources: string;
  beforeAll(async () => {
    sources = await testSources();
  });

  it('has a proof for every row', () => {
    const unproved = REQUIREMENTS.filter((row) => !checked.has(row) && !PROVED_BY_TESTS[row]?.length);
    expect(unproved).toEqual([]);
    expect(REQUIREMENTS).toHaveLength(118);
  });

  it('names only rows that exist, and tests that exist', () => {
    expect(Object.keys(PROVED_BY_TESTS).filter((row) => !REQUIREMENTS.includes(row))).toEqual([]);
    const missing = Object.entries(PROVED_BY_TESTS).flatMap(([row, titles]) =>
      titles.filter((title) => !isTitle(sources, title)).map((title) => `${row}: ${title}`),
    );
    expect(missing).toEqual([]);
  });

  it('knows why a check is missing where there is none', () => {
    const silent = REQUIREMENTS.filter(
      (row) => row.startsWith('A') && !checked.has(row) && !unobservable[row],
    );
    expect(silent).toEqual([]);
  });
});

/** In quotes, as the title of a test or a part of it, not in a comment or a call. */
function isTitle(sources: string, part: string): boolean {
  return sources
    .split('\n')
    .some((line) => line.includes(part) && /^\s*(?:(?:it|test)\(|\[?['"`])/.test(line));
}
