import type { TableDeclarations } from '../../spine/storage/tables.ts';

const ephemeral = (because: string) => ({ proof: 'ephemeral', because }) as const;

export const agentsTables: TableDeclarations = {
  agent_sessions: ephemeral('Which conversation of a client is which session, and which of them are live.'),
  agent_files: ephemeral('Which files the sessions touched; the journal has the calls.'),
  agent_activity: ephemeral('What the next deposit of a session is made of; dropped once it is old.'),
  agent_transcripts: ephemeral('Which transcripts were imported; the packages are what was made of them.'),
  agent_decisions: { proof: 'state', key: ['decision_id'], project: 'project_id', hashed: ['shown'] },
};
