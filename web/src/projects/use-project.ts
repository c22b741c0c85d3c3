import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMe } from '../api/session.ts';
import { useParams } from '../search-params.ts';
import { rememberProject, useRememberedProject } from './chosen-project.ts';
import { projectsQuery } from './queries.ts';

/**
 * The project in the address, else the one looked at last, else the credential's own. Another project is another page:
 * what was open closes.
 */
export function useProject(): [project: string, choose: (project: string) => void] {
  const me = useMe();
  const [params, change] = useParams();
  const remembered = useRememberedProject();
  const { data: known } = useQuery(projectsQuery);
  /** Gone, or never this credential's: another one signed in here before. */
  const lost =
    remembered !== undefined && known?.every(({ project_id }) => project_id !== remembered) === true;
  useEffect(() => {
    if (params.project !== undefined) rememberProject(params.project);
    else if (lost) rememberProject(undefined);
  }, [params.project, lost]);
  const cleared = Object.fromEntries(
    Object.keys(params)
      .filter((name) => name !== 'view')
      .map((name) => [name, undefined]),
  );
  return [
    params.project ?? (lost ? undefined : remembered) ?? me.default_project,
    (project) => {
      rememberProject(project);
      change({ ...cleared, project });
    },
  ];
}
