import type { TableDeclarations } from '../../spine/storage/tables.ts';

export const deliveryTables: TableDeclarations = {
  delivery_repositories: {
    proof: 'state',
    key: ['repository_id'],
    project: 'project_id',
    volatile: ['events_seen'],
  },
  delivery_events: { proof: 'state', key: ['repository_id', 'event_id'] },
};
