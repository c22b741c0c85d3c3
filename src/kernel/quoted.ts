/** Others' text in a prompt: quoted line by line, bounded, and without characters that hide or move text. */

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** One line of data. */
export function inline(text: string, most = 300): string {
  return clip(text.replaceAll(/\s+/gu, ' ').replaceAll(INVISIBLE, '').trim(), most);
}

/** A block in which every line begins with `> `: nothing in it can look like a line of ours. */
export function quoted(text: string, most = 1200): string {
  return clip(text, most)
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/u)
    .map((line) => `> ${line.replaceAll('\t', ' ').replaceAll(INVISIBLE, '')}`)
    .join('\n');
}

function clip(text: string, most: number): string {
  const points = [...text];
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : text;
}
