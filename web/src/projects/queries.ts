import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => client.call('projects.list', { limit: 200 }, { signal }),
});
