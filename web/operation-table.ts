import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { operations } from '../packages/client/src/table.ts';

const TABLE = /\/packages\/client\/src\/table\.ts$/;
const SOURCES = new URL('src', import.meta.url).pathname;

/**
 * The client's table as data, as its published package has it: made here from the declarations, which with zod would
 * be a third of what a browser loads. A build leaves out what no page calls.
 */
export function operationTable(): Plugin {
  let building = false;
  return {
    name: 'baton-operation-table',
    enforce: 'pre',
    configResolved({ command }) {
      building = command === 'build';
    },
    load(id) {
      if (!TABLE.test(id)) return undefined;
      return `export const operations = ${JSON.stringify(building ? calledOnes() : operations)};\n`;
    },
  };
}

/** Whoever calls an operation writes its name as a text of its own: the types know no other way. */
function calledOnes(): Record<string, unknown> {
  const named = new Set<string>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, name] of readFileSync(join(SOURCES, file), 'utf8').matchAll(/['"`]([a-z_0-9.]+)['"`]/g)) {
      if (name !== undefined) named.add(name);
    }
  }
  return Object.fromEntries(Object.entries(operations).filter(([name]) => named.has(name)));
}
