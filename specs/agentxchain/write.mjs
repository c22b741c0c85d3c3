/** Writes the corpus from its tables: `node specs/agentxchain/write.mjs`. The files are what is run and published. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, 'fixtures');
await rm(root, { recursive: true, force: true });
let count = 0;
for (const name of (await readdir(join(here, 'tables'))).sort()) {
  if (name === 'ground.mjs') continue;
  const { surface, tier, prefix, table } = await import(`./tables/${name}`);
  const directory = join(root, String(tier), surface);
  await mkdir(directory, { recursive: true });
  for (const [index, { description, type, setup, input, expected }] of table.entries()) {
    const fixture_id = `${prefix}-${String(index + 1).padStart(3, '0')}`;
    const fixture = { fixture_id, tier, surface, description, type, setup, input, expected };
    await writeFile(join(directory, `${fixture_id}.json`), `${JSON.stringify(fixture, null, 2)}\n`);
    count += 1;
  }
}
console.log(`${count} fixtures`);
