import type { Plugin } from 'vite';
import { operations } from '../packages/client/src/table.ts';

const TABLE = /\/packages\/client\/src\/table\.ts$/;

/**
 * The client's table as data, as its published package has it: made here from the declarations, which with zod would
 * be a third of what a browser loads.
 */
export function operationTable(): Plugin {
  return {
    name: 'baton-operation-table',
    enforce: 'pre',
    load(id) {
      return TABLE.test(id) ? `export const operations = ${JSON.stringify(operations)};\n` : undefined;
    },
  };
}
