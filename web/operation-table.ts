import type { Plugin } from 'vite';
import { operations } from '../client/src/operations.ts';

type Shape = { readonly shape: Readonly<Record<string, unknown>> };
type Declared = Readonly<{
  input: Readonly<{ path?: Shape; query?: Shape; headers?: Shape; body?: { readonly type: string } }>;
}> &
  Readonly<Record<string, unknown>>;

const TABLE = /\/client\/src\/operations\.ts$/;
const READER = /\/src\/operations\/flat-input\.ts$/;
const MARKS = '\0zod-marks';

/**
 * A browser asks for operations and never checks their schemas, which with zod would be a third of what it loads:
 * the page gets the table with only the names of the inputs.
 */
export function operationTable(): Plugin {
  return {
    name: 'baton-operation-table',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === MARKS) return id;
      return id === 'zod' && importer !== undefined && READER.test(importer) ? MARKS : undefined;
    },
    load(id) {
      if (id === MARKS) return 'export const z = { ZodOptional: class {} };';
      return TABLE.test(id) ? tableSource(operations as Readonly<Record<string, Declared>>) : undefined;
    },
  };
}

function tableSource(table: Readonly<Record<string, Declared>>): string {
  const rows = Object.entries(table).map(
    ([name, operation]) => `${JSON.stringify(name)}: ${rowSource(name, operation)}`,
  );
  return `import { z } from '${MARKS.replace('\0', '\\0')}';\nexport const operations = {\n${rows.join(',\n')}\n};\n`;
}

function rowSource(name: string, { kind, http, cli, bodyName, input }: Declared): string {
  const parts = (['path', 'query', 'headers'] as const).flatMap((part) => {
    const shape = input[part]?.shape;
    return shape ? [`${part}: { shape: ${JSON.stringify(namesOf(shape))} }`] : [];
  });
  if (input.body) parts.push(`body: ${input.body.type === 'optional' ? 'new z.ZodOptional()' : '{}'}`);
  const plain = JSON.stringify({ name, kind, http, cli, bodyName }).slice(1, -1);
  return `{ ${plain}, input: { ${parts.join(', ')} } }`;
}

function namesOf(shape: Readonly<Record<string, unknown>>): Record<string, 1> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, 1]));
}
