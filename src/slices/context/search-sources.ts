import { toPlain } from '../../kernel/json/plain.ts';
import { readJson } from '../../kernel/json/reader.ts';
import { type DocumentSource, pagedSource } from '../../spine/search/document.ts';
import { selectSearchable as selectFacts } from './facts/store.ts';
import { factDocument } from './facts/stored-fact.ts';
import { selectSearchable as selectPackages } from './packages/store.ts';
import { packageDocument } from './packages/stored-package.ts';
import type { Package } from './schema.ts';

/** What search should know of packages and facts, from their own rows. */
export const contextSearchSources: readonly DocumentSource[] = [
  pagedSource<[string, string]>(async (reader, after, limit) => {
    const rows = await selectPackages(reader, after, limit);
    return rows.map((row) => ({
      at: [row.project_id, row.package_id],
      document: packageDocument(toPlain(readJson(row.original)) as unknown as Package, row.created_us),
    }));
  }),
  pagedSource<[string, string]>(async (reader, after, limit) => {
    const facts = await selectFacts(reader, after, limit);
    return facts.map((fact) => ({ at: [fact.projectId, fact.factId], document: factDocument(fact) }));
  }),
];
