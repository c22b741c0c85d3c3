/** The notices of third parties: the licence texts of every package of which something is in a bundle. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const RULE = '-'.repeat(80);
const COPYRIGHT = /^\s*Copyright\s/;
const LICENCE = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** `modules`: paths of everything bundled, relative to `root` or absolute. */
export async function noticesText(root, modules) {
  const folders = new Set(modules.flatMap((path) => packageFolder(resolve(root, path)) ?? []));
  const notices = await Promise.all([...folders].map(noticeOf));
  const unique = [...new Map(notices.map((notice) => [notice.title, notice])).values()];
  const entries = [...grouped(unique)].map(
    ({ holders, text }) => `${RULE}\n${holders.join('\n')}\n${RULE}\n\n${text}\n`,
  );
  return `This package contains code of the following packages, under their own licences.\n\n${entries.join('\n')}`;
}

/** A licence that several have is written once, below the packages and their own copyright lines. */
function grouped(notices) {
  const groups = new Map();
  for (const { title, text } of notices.sort((a, b) => (a.title < b.title ? -1 : 1))) {
    const lines = text.split('\n');
    const terms = lines.filter((line) => !COPYRIGHT.test(line));
    const key = terms.join(' ').replace(/\s+/g, ' ').trim();
    const group = groups.get(key) ?? { holders: [], text: terms.join('\n').trim() };
    group.holders.push(
      title,
      ...lines.filter((line) => COPYRIGHT.test(line)).map((line) => `  ${line.trim()}`),
    );
    groups.set(key, group);
  }
  return groups.values();
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
