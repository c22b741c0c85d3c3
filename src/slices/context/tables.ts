import type { TableDeclarations } from '../../spine/storage/tables.ts';

const ofPackage = (position: string) =>
  ({ proof: 'state', key: ['project_id', 'package_id', position], project: 'project_id' }) as const;

export const contextTables: TableDeclarations = {
  packages: {
    proof: 'state',
    key: ['project_id', 'package_id'],
    project: 'project_id',
    hashed: ['original', 'current'],
  },
  package_parents: ofPackage('position'),
  package_questions: ofPackage('position'),
  package_resolutions: {
    proof: 'state',
    key: ['project_id', 'resolver_id', 'position'],
    project: 'project_id',
  },
  package_refs: ofPackage('position'),
  package_reviews: ofPackage('seq'),
  facts: { proof: 'state', key: ['project_id', 'fact_id'], project: 'project_id' },
  fact_spans: { proof: 'state', key: ['span_id'], project: 'project_id' },
  blobs: { proof: 'state', key: ['project_id', 'sha256'], project: 'project_id' },
  attestations: {
    proof: 'state',
    key: ['project_id', 'package_id', 'envelope_hash'],
    project: 'project_id',
  },
  foreign_sessions: { proof: 'state', key: ['project_id', 'session_id'], project: 'project_id' },
};
