import type { TableDeclarations } from '../storage/tables.ts';

const fromContent = { proof: 'derived', because: 'Made from what it finds.' } as const;

export const searchTables: TableDeclarations = {
  search_spaces: fromContent,
  search_terms: fromContent,
  search_documents: fromContent,
  search_bodies: fromContent,
  search_codes: fromContent,
  search_postings: fromContent,
  search_vector_cursors: { proof: 'ephemeral', because: 'How far vectors have been made.' },
};
