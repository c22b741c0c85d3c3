/** The notices of third parties: the licence texts of every package of which something is in a bundle. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const RULE = '-'.repeat(80);
const LICENCE = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** `modules`: paths of everything bundled, relative to `root` or absolute. */
export async function noticesText(root, modules) {
  const folders = new Set(modules.flatMap((path) => packageFolder(resolve(root, path)) ?? []));
  const notices = await Promise.all([...folders].map(noticeOf));
  const unique = [...new Map(notices.map((notice) => [notice.title, notice])).values()];
  const alike = new Map();
  for (const { title, text } of unique.sort((a, b) => (a.title < b.title ? -1 : 1)))
    alike.set(text, [...(alike.get(text) ?? []), title]);
  const entries = [...alike].map(([text, titles]) => `${RULE}\n${titles.join('\n')}\n${RULE}\n\n${text}\n`);
  return `This package contains code of the following packages, under their own licences.\n\n${entries.join('\n')}`;
}

function packageFolder(path) {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(path)?.[0];
}

async function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return {
    title: `${name} ${version} (${license})`,
    text:
      texts.length > 0
        ? texts.map((text) => text.trim()).join('\n\n')
        : `Copyright ${holder}. Licence: ${license}.`,
  };
}
