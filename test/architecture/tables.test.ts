import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';

const root = resolve(import.meta.dirname, '../..');
/** SQL, and the `into` of `insertion()`; sentences that speak of packages and facts are not meant. */
const NAMES_A_TABLE =
  /\b(?:from\s+([a-z_]+)\b(?!,)|join\s+([a-z_]+)|insert\s+into\s+([a-z_]+)|into: '([a-z_]+)'|update\s+([a-z_]+)\s+set)\b/g;

/** Each table with the room whose schema step made it. */
const owners = new Map(
  migrations.flatMap(({ name, statements }) =>
    (['sqlite', 'postgres'] as const).flatMap((engine) =>
      statements(ddlOf(engine)).flatMap((statement) =>
        [...statement.matchAll(/create (?:virtual |unlogged )?table (?:if not exists )?([a-z_]+)/gi)].map(
          ([, table]): [string, string] => [table!, name.split('/')[0]!],
        ),
      ),
    ),
  ),
);

function ddlOf(engine: 'sqlite' | 'postgres') {
  return { engine, int: '', real: '', text: '', bytes: '', serial: '', end: '' };
}

/** `src/spine/inbox/x.ts` → `inbox`. */
function roomOf(file: string): string {
  const [, layer, room] = file.split('/');
  return ['spine', 'slices', 'faces'].includes(layer!) ? room! : layer!;
}

function isStore(file: string): boolean {
  return /(^|[/-])store\.ts$|\/store\/|(^|[/-])migrations\.ts$/.test(file);
}

/** The tables that the SQL of a file names; comments, import lines and descriptions are not SQL. */
function tablesIn(text: string): Set<string> {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$|^.*\bfrom '.*$|^.*\.describe\(.*$/gm, '');
  return new Set(
    [...code.matchAll(NAMES_A_TABLE)]
      .map(([, ...names]) => names.find((name) => name !== undefined)!)
      .filter((name) => owners.has(name)),
  );
}

/** The rows under "Tables": file, tables, reason. */
function exceptions(): Map<string, ReadonlySet<string>> {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const rows = page.matchAll(/^\| `(src\/[\w/.-]+\.ts)` \| ((?:`\w+`(?:, )?)+) \| (.{10,}) \|$/gm);
  return new Map(
    [...rows].map(([, file, tables]) => [file!, new Set([...tables!.matchAll(/\w+/g)].map(String))]),
  );
}

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => join('src', file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\btesting\b/.test(file));
const uses = files.flatMap((file) =>
  [...tablesIn(readFileSync(join(root, file), 'utf8'))].map((table) => ({ file, table })),
);

describe('the tables', () => {
  it('are found, with the statements that name them', () => {
    expect(owners.size).toBeGreaterThan(70);
    expect(uses.length).toBeGreaterThan(100);
  });

  it('each belong to one room, whose stores alone name them', () => {
    const allowed = exceptions();
    const broken = uses
      .filter(({ file, table }) => roomOf(file) !== owners.get(table) || !isStore(file))
      .filter(({ file, table }) => !allowed.get(file)?.has(table))
      .map(({ file, table }) => `${file} names ${table} of ${owners.get(table)}`);
    expect(broken).toEqual([]);
  });

  it('have no exception in ARCHITECTURE.md that is not needed', () => {
    const used = new Set(uses.map(({ file, table }) => `${file} ${table}`));
    const stale = [...exceptions()].flatMap(([file, tables]) =>
      [...tables].map((table) => `${file} ${table}`).filter((row) => !used.has(row)),
    );
    expect(stale).toEqual([]);
  });
});
