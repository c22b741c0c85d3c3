import type { TableDeclarations } from '../storage/tables.ts';

const itself = (because: string) => ({ proof: 'journal', because }) as const;

export const journalTables: TableDeclarations = {
  chains: itself('Every chain is followed from its beginning to its head.'),
  events: itself('Every event is hashed, linked, numbered and a leaf of the tree.'),
  journal_head: itself('Its counters are those of the events.'),
  journal_projects: itself('Its counters are those of the events.'),
  tree_nodes: itself('Made again from the leaves.'),
  checkpoints: itself('Signed, and made again from the leaves.'),
  cosignatures: itself('Each is checked against its checkpoint and the key of its witness.'),
  witnesses: { proof: 'ephemeral', because: 'How far each witness has come.' },
  state_chains: itself('Which chains hold records of state is in their events.'),
  state_adoptions: itself('What was adopted, and that it was all, is in events.'),
  state_rewrites: itself('What a step of the schema changed, and that it was all, is in events.'),
  schema_migrations: {
    proof: 'derived',
    because: 'The program knows its own steps and compares them at every start.',
  },
};
