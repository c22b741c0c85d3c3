import type { TableDeclarations } from '../storage/tables.ts';

export const dispatchTables: TableDeclarations = {
  idempotency: { proof: 'ephemeral', because: 'Answers kept for a day, for callers who ask again.' },
};
