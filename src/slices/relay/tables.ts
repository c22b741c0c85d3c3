import type { TableDeclarations } from '../../spine/storage/tables.ts';

const ephemeral = (because: string) => ({ proof: 'ephemeral', because }) as const;

export const relayTables: TableDeclarations = {
  relay_origins: { proof: 'state', key: ['origin_id'] },
  relay_spans: { proof: 'state', key: ['seq'], project: 'project_id', hashed: ['body'] },
  relay_open_spans: ephemeral('Exchanges that are under way.'),
  relay_instances: ephemeral('Processes that are running.'),
  relay_spool: ephemeral('Spans that wait to be exported.'),
  relay_counters: ephemeral('Statistics of the export.'),
  relay_arrivals: ephemeral('Spans that wait to be summed up.'),
  relay_traces: ephemeral('Sums of spans, kept up by a cursor.'),
  relay_sessions: ephemeral('Sums of spans, kept up by a cursor.'),
  relay_session_traces: ephemeral('Which traces have a span of a session.'),
  relay_calls: ephemeral('What spans say of models and tools, for filters.'),
  relay_rollups: ephemeral('Sums of spans by hour and day, which outlive them.'),
  relay_texts: ephemeral('Spans that search knows, or will.'),
  relay_session_metrics: ephemeral('The last values of counters that others keep.'),
  relay_prices: { proof: 'state', key: ['project_id', 'model', 'from_us'], project: 'project_id' },
  relay_annotations: { proof: 'state', key: ['annotation_id'], project: 'project_id', hashed: ['note'] },
  relay_peers: { proof: 'state', key: ['project_id', 'peer_id'], project: 'project_id' },
  relay_peer_credentials: {
    proof: 'state',
    key: ['project_id', 'peer_id'],
    project: 'project_id',
    hashed: ['sealed'],
  },
  relay_cards: {
    proof: 'state',
    key: ['project_id', 'peer_id', 'number'],
    project: 'project_id',
    hashed: ['card'],
  },
  relay_tasks: { proof: 'state', key: ['project_id', 'task_id', 'peer_id'], project: 'project_id' },
  relay_push_configs: { proof: 'state', key: ['callback_key'], project: 'project_id' },
  relay_replays: ephemeral('How far replays have come; the journal has what was sent.'),
  relay_replay_steps: ephemeral('How far replays have come; spans and the journal say what they repeat.'),
  relay_push_deliveries: ephemeral('Notices that wait to be sent.'),
  agent_channels: { proof: 'state', key: ['id'], project: 'project_id' },
  agent_channel_events: { proof: 'state', key: ['channel_id', 'seq'] },
  agent_channel_leases: ephemeral('Leases.'),
  agent_channel_cursors: ephemeral('How far each agent has read.'),
};
