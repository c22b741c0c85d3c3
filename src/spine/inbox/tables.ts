import type { TableDeclarations } from '../storage/tables.ts';

export const inboxTables: TableDeclarations = {
  inbox_items: {
    proof: 'state',
    key: ['item_id'],
    project: 'project_id',
    erasable: { columns: ['title', 'note', 'edits'], salt: 'salt' },
  },
  inbox_votes: { proof: 'state', key: ['item_id', 'actor_id'] },
  inbox_asides: { proof: 'state', key: ['item_id', 'actor_id'] },
};
