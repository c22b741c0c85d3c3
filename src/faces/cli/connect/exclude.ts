/** A client's lines in `.git/info/exclude`: files that are of this machine alone. */
export function withExcluded(text: string, client: string, paths: readonly string[]): string {
  const rest = withoutExcluded(text, client);
  if (paths.length === 0) return rest;
  const lines = [begin(client), ...paths.map((path) => `/${escaped(path)}`), end(client), ''].join('\n');
  if (text.includes(lines)) return text;
  return `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${lines}`;
}

export function withoutExcluded(text: string, client: string): string {
  const from = text.indexOf(`${begin(client)}\n`);
  const to = text.indexOf(`${end(client)}\n`, from);
  return from === -1 || to === -1 ? text : text.slice(0, from) + text.slice(to + end(client).length + 1);
}

/** Git reads a pattern: what means something in one is escaped. */
function escaped(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/[*?[\]]/g, '\\$&')
    .replace(/ $/, '\\ ');
}

const begin = (client: string) => `# baton:begin ${client}`;
const end = (client: string) => `# baton:end ${client}`;
