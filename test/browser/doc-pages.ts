import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shellBlocks } from '../setup/shell-page.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every page whose reader is shown something to type. */
export async function pagesWithCommands(): Promise<string[]> {
  const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  const pages = ['README.md', ...docs.map((name) => `docs/${name}`)];
  const counts = await Promise.all(pages.map(async (page) => (await shellBlocks(page)).length));
  return pages.filter((_, at) => (counts[at] ?? 0) > 0);
}
