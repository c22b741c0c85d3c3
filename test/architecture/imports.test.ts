import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const SLICES = ['context', 'governance', 'memory', 'delivery', 'relay'];

interface Rule {
  readonly values: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** The rooms table of ARCHITECTURE.md: the page that people read is the rule that is checked. */
function readRules(): Map<string, Rule> {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const rules = new Map<string, Rule>();
  for (const [, folder, cell] of page.matchAll(
    /^\| `(?:src\/|packages\/)?(?:\w+\/)?([\w-]+)` \| (.*?) ?\|/gm,
  )) {
    const [values = '', types = ''] = cell!.split('; types of ');
    const names = (text: string) => new Set([...text.matchAll(/\b[a-z]+\b/g)].map(([name]) => name));
    rules.set(folder!, { values: names(values.replace(/`[^`]*`/g, '')), types: names(types) });
  }
  return rules;
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory())
      return name === 'node_modules' || name === 'dist' ? [] : sourcesUnder(path);
    return /\.tsx?$/.test(name) &&
      !/\.test\.tsx?$/.test(name) &&
      !/(^|\/)testing(\/|\.ts$)/.test(relative(root, path))
      ? [path]
      : [];
  });
}

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/g,
  )) {
    found.push({ target: match[2]!, typeOnly: match[1] !== undefined });
  }
  for (const match of text.matchAll(/import\(\s*'([^']+)'\s*\)/g))
    found.push({ target: match[1]!, typeOnly: false });
  return found;
}

/** `src/spine/inbox/x.ts` → `inbox`; `src/app/x.ts` → `app`; `packages/client/src/…` → `client`. */
function roomOf(path: string): string {
  const parts = relative(root, path).split('/');
  const inside = ['src', 'packages'].includes(parts[0]!) ? parts.slice(1) : parts;
  return ['spine', 'slices', 'faces'].includes(inside[0]!) ? inside[1]! : inside[0]!;
}

const rules = readRules();
const files = ['src', 'packages', 'web'].flatMap((folder) => sourcesUnder(join(root, folder)));

describe('the house', () => {
  it('has rooms and files to check', () => {
    expect(rules.size).toBeGreaterThan(15);
    expect(files.length).toBeGreaterThan(50);
  });

  it('has a row in ARCHITECTURE.md for every folder, and no row for a folder of another name', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].filter((room) => !rules.has(room))).toEqual([]);
  });

  it('is described by files that exist', () => {
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const named = [...page.matchAll(/`((?:src|packages|test)\/[\w/.-]+)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('imports only what the table allows', () => {
    const broken: string[] = [];
    for (const path of files) {
      const room = roomOf(path);
      const rule = rules.get(room);
      for (const { target, typeOnly } of importsOf(path)) {
        if (!target.startsWith('.') || target.endsWith('.json')) continue;
        const file = resolve(dirname(path), target);
        const to = roomOf(file);
        if (to === room || rule?.values.has(to) || (typeOnly && rule?.types.has(to))) continue;
        if (room === 'client' && /\/(schema|operations)\.ts$/.test(file)) continue;
        broken.push(`${relative(root, path)} → ${relative(root, file)}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('keeps the kernel and the client free of Node', () => {
    const broken = files
      .filter((path) => ['kernel', 'client'].includes(roomOf(path)))
      .flatMap((path) =>
        importsOf(path)
          .filter(({ target }) => target.startsWith('node:'))
          .map(() => relative(root, path)),
      );
    expect(broken).toEqual([]);
  });

  it("keeps declarations browser-safe: what a room's operations.ts reaches is pure, its own, and needs only zod", () => {
    const broken: string[] = [];
    const reached = new Set<string>();
    const visit = (path: string, from: string): void => {
      if (reached.has(`${from} ${path}`)) return;
      reached.add(`${from} ${path}`);
      for (const { target, typeOnly } of importsOf(path)) {
        if (typeOnly || target === 'zod') continue;
        const file = resolve(dirname(path), target);
        if (target.startsWith('.') && ['kernel', 'operations', from].includes(roomOf(file)))
          visit(file, from);
        else broken.push(`${relative(root, path)} → ${target}`);
      }
    };
    const declarations = files.filter((file) => /\/src\/\w+\/\w+\/operations\.ts$/.test(file));
    for (const path of declarations) visit(path, roomOf(path));
    expect(declarations.length).toBeGreaterThan(3);
    expect(broken).toEqual([]);
  });

  it('has no slice that imports another', () => {
    const broken = files.flatMap((path) =>
      importsOf(path)
        .filter(({ target }) => target.startsWith('.'))
        .map(({ target }) => roomOf(resolve(dirname(path), target)))
        .filter((to) => SLICES.includes(roomOf(path)) && SLICES.includes(to) && to !== roomOf(path))
        .map((to) => `${relative(root, path)} → ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it('exports nothing by default and re-exports nothing blindly', () => {
    const broken = files.filter(
      (path) => /^export (default|\*)/m.test(readFileSync(path, 'utf8')) && !/\.config\.ts$/.test(path),
    );
    expect(broken.map((path) => relative(root, path))).toEqual([]);
  });
});
