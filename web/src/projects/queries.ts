import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

const PAGE = 200;

/** All of them: whoever chooses must find each. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => {
    const projects = await client.call('projects.list', { limit: PAGE }, { signal });
    for (let last = projects; last.length === PAGE; ) {
      const after = last.at(-1)?.project_id ?? '';
      last = await client.call('projects.list', { limit: PAGE, after }, { signal });
      projects.push(...last);
    }
    return projects;
  },
});
