import type { TableDeclarations } from '../../spine/storage/tables.ts';

const ofProfile = (...rest: readonly string[]) =>
  ({ proof: 'state', key: ['profile_did', ...rest] }) as const;

export const memoryTables: TableDeclarations = {
  memory_profiles: { proof: 'state', key: ['did'], project: 'project_id' },
  memory_texts: {
    ...ofProfile('ref'),
    erasable: { columns: ['body'], salt: 'salt' },
  },
  memory_agents: { proof: 'state', key: ['did'], project: 'project_id' },
  memory_categories: { proof: 'state', key: ['project_id', 'category'], project: 'project_id' },
  memory_nonces: { proof: 'ephemeral', because: 'Nonces of the last minutes.' },
  // What kinds of memories a person has could be guessed from an unsalted digest.
  memory_classes: {
    proof: 'state',
    key: ['class_id'],
    erasable: { columns: ['type', 'category', 'sensitivity', 'scope'], salt: 'salt' },
  },
  memory_items: { ...ofProfile('memory_id'), volatile: ['use_count', 'last_used_at'] },
  memory_proposals: { proof: 'state', key: ['proposal_id'] },
  memory_declined: ofProfile('fingerprint'),
  memory_merges: { proof: 'state', key: ['merge_id'] },
  memory_uses: {
    proof: 'ephemeral',
    because: 'Counts by which memories rank; who saw what is in memory_accesses.',
  },
  memory_policies: ofProfile('policy_id'),
  memory_blocks: ofProfile('agent_did'),
  memory_receipts: { proof: 'state', key: ['receipt_id'] },
  memory_accesses: { proof: 'state', key: ['seq'] },
  memory_access_items: ofProfile('memory_id', 'seq'),
  memory_erasures: { proof: 'state', key: ['erasure_id'], project: 'project_id' },
  memory_webhooks: { proof: 'state', key: ['webhook_id'] },
  memory_deliveries: { proof: 'ephemeral', because: 'Notices that wait to be sent.' },
};
