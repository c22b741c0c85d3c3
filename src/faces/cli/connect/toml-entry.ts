import { connectErrors } from './errors.ts';
import { type EntryFormat, SERVER_NAME } from './server-entry.ts';
import { scanToml, type TomlTable } from './toml-scan.ts';

/** Server entries as tables `[section.name]`: what Codex reads. */
export const tomlEntries: EntryFormat = {
  put(text, section, members) {
    const tables = tablesOf(text);
    const own = tables.find(({ path }) => isPath(path, [section, SERVER_NAME]));
    if (own) return Object.entries(members).reduce((edited, pair) => assign(edited, section, pair), text);
    refuseOtherForms(tables, section);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const gap = text === '' ? '' : /\n$/.test(text) ? eol : eol + eol;
    const lines = Object.entries(members).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    return `${text}${gap}${[`[${section}.${SERVER_NAME}]`, ...lines, ''].join(eol)}`;
  },
  take(text, section) {
    const own = tablesOf(text).filter(({ path }) => path[0] === section && path[1] === SERVER_NAME);
    return own.reduceRight((left, { start, end }) => {
      const before = left.slice(0, start);
      const gap = /(?:^|\n)(\r?\n)$/.exec(before)?.[1] ?? '';
      return before.slice(0, before.length - gap.length) + left.slice(end);
    }, text);
  },
  read(text, section) {
    const own = tablesOf(text).find(({ path }) => isPath(path, [section, SERVER_NAME]));
    const value = (name: string) => {
      const found = own?.assignments.find(({ key }) => isPath(key, [name]));
      return found && (JSON.parse(text.slice(found.valueStart, found.valueEnd)) as unknown);
    };
    const [command, args] = [value('command'), value('args')];
    return typeof command === 'string' && Array.isArray(args) ? { command, args } : undefined;
  },
  // A table needs no other around it.
  hasSection: () => true,
  isEmpty: (text) => text.trim() === '',
};

function tablesOf(text: string): TomlTable[] {
  const tables = scanToml(text);
  if (!tables) throw connectErrors.config_unusable({ message: 'The file is not TOML.' });
  return tables;
}

function assign(text: string, section: string, [name, value]: [string, unknown]): string {
  const own = tablesOf(text).find(({ path }) => isPath(path, [section, SERVER_NAME]))!;
  const found = own.assignments.find(({ key }) => isPath(key, [name]));
  const written = JSON.stringify(value);
  return found
    ? text.slice(0, found.valueStart) + written + text.slice(found.valueEnd)
    : `${text.slice(0, own.bodyStart)}${name} = ${written}\n${text.slice(own.bodyStart)}`;
}

/** The same entry may be spelled as an inline table or dotted keys; a second one beside it would break the file. */
function refuseOtherForms(tables: readonly TomlTable[], section: string): void {
  const taken = tables.some(({ path, assignments }) =>
    assignments.some(({ key }) => {
      const [first, second] = [...path, ...key];
      return first === section && (second === SERVER_NAME || second === undefined);
    }),
  );
  if (taken) {
    throw connectErrors.config_unusable({
      message: `The file already holds ${section}.${SERVER_NAME} in a form other than its own table.`,
    });
  }
}

function isPath(path: readonly string[], wanted: readonly string[]): boolean {
  return path.length === wanted.length && wanted.every((word, i) => path[i] === word);
}
