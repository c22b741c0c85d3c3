import type { TableDeclarations } from '../storage/tables.ts';

export const whyTables: TableDeclarations = {
  why_cursor: { proof: 'ephemeral', because: 'How far the journal has been read.' },
  why_causes_cursor: { proof: 'ephemeral', because: 'How far the accounts have been read.' },
  why_causes: {
    proof: 'derived',
    because: 'Made from why_accounts, which are proved.',
  },
  why_accounts: { proof: 'state', key: ['leaf'], project: 'project_id' },
  why_things: { proof: 'state', key: ['thing_id', 'kind', 'project_id', 'leaf'], project: 'project_id' },
};
