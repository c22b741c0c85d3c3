import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ErrorSpec } from '../../src/kernel/error.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every error table of the product, by the room that owns it: `identity`, `memory`, `conformance/agentxchain`. */
export async function errorTables(): Promise<Map<string, Record<string, ErrorSpec>>> {
  const files = ['src', 'packages/client/src', 'packages/conformance/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)errors\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  const tables = new Map<string, Record<string, ErrorSpec>>();
  for (const file of files.sort()) {
    const exports = (await import(join(root, file))) as Record<string, { specs?: Record<string, ErrorSpec> }>;
    const room = file
      .replace(/^packages\/(\w+)\/src\//, '$1/')
      .replace(/^src\/((spine|slices|faces)\/)?/, '')
      .replace(/\/errors\.ts$/, '');
    for (const value of Object.values(exports)) {
      if (value?.specs) tables.set(room, { ...tables.get(room), ...value.specs });
    }
  }
  return tables;
}
