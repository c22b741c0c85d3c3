/**
 * `npm run bench -- NAME [NAME …]` runs the named cases, `npm run bench` lists them, `--all` runs all.
 * Each case is bundled as the product is, so that it measures what users run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cases = (await readdir(join(here, 'cases')))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .sort();
const asked = process.argv.slice(2);
const wanted = asked.includes('--all') ? cases : asked.filter((name) => !name.startsWith('--'));
const unknown = wanted.filter((name) => !cases.includes(name));
if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`no such case: ${unknown.join(', ')}`);
  console.log(`cases:\n${cases.map((name) => `  ${name}`).join('\n')}\nrun one with: npm run bench -- NAME`);
  process.exit(unknown.length > 0 ? 2 : 0);
}
if (!existsSync(join(here, 'node_modules'))) {
  console.log('installing the peers …');
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: here,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
const out = join(here, '.bundle');
await mkdir(out, { recursive: true });
let failed = 0;
for (const name of wanted) {
  const file = join(out, `${name}.mjs`);
  await bundle(join(here, 'cases', `${name}.ts`), file);
  const { benchCase } = await import(pathToFileURL(file).href);
  const { runCase } = await import(
    pathToFileURL(await bundle(join(here, 'harness.ts'), join(out, 'harness.mjs'))).href
  );
  if (!(await runCase(benchCase, join(here, 'results')))) failed += 1;
}
process.exit(failed > 0 ? 1 : 0);
