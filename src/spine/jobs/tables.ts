import type { TableDeclarations } from '../storage/tables.ts';

export const jobTables: TableDeclarations = {
  jobs: { proof: 'ephemeral', because: 'Work that waits; what it did is recorded where it was done.' },
};
