/** Words of agents and people inside a prompt: quoted and bounded, so that they stay data. */
const LIMIT = 4000;

export function quoted(text: string): string {
  const bounded = text.length > LIMIT ? `${text.slice(0, LIMIT)} […]` : text;
  return bounded
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}

export function bulleted(items: readonly string[]): string {
  return items.map((item) => `- ${item.replaceAll(/\s*\r?\n\s*/g, ' ').slice(0, LIMIT)}`).join('\n');
}
