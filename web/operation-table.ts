import type { Plugin } from 'vite';
import { operations } from '../packages/client/src/operations.ts';

type Shape = { readonly shape: Readonly<Record<string, unknown>> };
type Declared = Readonly<{
  input: Readonly<{ path?: Shape; query?: Shape; headers?: Shape; body?: { readonly type: string } }>;
}> &
  Readonly<Record<string, unknown>>;

const TABLE = /\/client\/src\/operations\.ts$/;

/**
 * A browser asks for operations and never checks their schemas, which with zod would be a third of what it loads:
 * the page gets the table with only the names of the inputs.
 */
export function operationTable(): Plugin {
  return {
    name: 'baton-operation-table',
    enforce: 'pre',
    load(id) {
      return TABLE.test(id) ? tableSource(operations as Readonly<Record<string, Declared>>) : undefined;
    },
  };
}

function tableSource(table: Readonly<Record<string, Declared>>): string {
  const rows = Object.entries(table).map(
    ([name, operation]) => `${JSON.stringify(name)}: ${rowSource(name, operation)}`,
  );
  return `export const operations = {\n${rows.join(',\n')}\n};\n`;
}

function rowSource(name: string, { kind, http, cli, bodyName, input }: Declared): string {
  const parts = (['path', 'query', 'headers'] as const).flatMap((part) => {
    const shape = input[part]?.shape;
    return shape ? [`${part}: { shape: ${JSON.stringify(namesOf(shape))} }`] : [];
  });
  if (input.body) parts.push(`body: { type: ${JSON.stringify(input.body.type)} }`);
  const plain = JSON.stringify({ name, kind, http, cli, bodyName }).slice(1, -1);
  return `{ ${plain}, input: { ${parts.join(', ')} } }`;
}

function namesOf(shape: Readonly<Record<string, unknown>>): Record<string, 1> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, 1]));
}
