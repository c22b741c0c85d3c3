import type { Key, Keys } from './key.ts';

/** The tables of a configuration reference: one for each object, in the order of the file. */
export function referenceOf(keys: Keys): string {
  return sections('', { type: 'object', about: '', members: keys }).join('\n\n');
}

function sections(at: string, key: Key): readonly string[] {
  if (key.items !== undefined) return sections(`${at}[]`, key.items);
  if (key.each !== undefined) return sections(`${at}.<name>`, key.each);
  const members = Object.entries(key.members ?? {});
  if (members.length === 0) return [];
  const rows = members.map(
    ([name, member]) =>
      `| \`${name}\`${member.required ? ' (required)' : ''} | ${member.type} | ${member.default ?? ''} | ${member.about}${member.ours ? ' Baton only.' : ''} |`,
  );
  const own = [
    at === '' ? '' : `### \`${at}\`\n\n`,
    '| key | value | default | meaning |\n|---|---|---|---|\n',
    rows.join('\n'),
  ].join('');
  const below = members.flatMap(([name, member]) => sections(at === '' ? name : `${at}.${name}`, member));
  // The hooks of all moments look alike.
  return [own, ...new Map(below.map((text) => [text.replace(/^### .*\n/, ''), text])).values()];
}
