import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { ErrorSpec } from '../../src/kernel/error.ts';

const source = resolve(import.meta.dirname, '../../src');

/** Every error table of the product, by the folder that owns it. */
export async function errorTables(): Promise<Map<string, Record<string, ErrorSpec>>> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|\/)errors\.ts$/.test(file),
  );
  const tables = new Map<string, Record<string, ErrorSpec>>();
  for (const file of files.sort()) {
    const exports = (await import(join(source, file))) as Record<
      string,
      { specs?: Record<string, ErrorSpec> }
    >;
    for (const value of Object.values(exports)) {
      const room = relative('.', file).replace(/\/errors\.ts$/, '');
      if (value?.specs) tables.set(room, { ...tables.get(room), ...value.specs });
    }
  }
  return tables;
}
