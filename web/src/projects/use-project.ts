import { useMe } from '../api/session.ts';
import { useParams } from '../search-params.ts';

/** The project in the address, or the credential's own. Another project is another page: what was open closes. */
export function useProject(): [project: string, choose: (project: string) => void] {
  const me = useMe();
  const [params, change] = useParams();
  const cleared = Object.fromEntries(
    Object.keys(params)
      .filter((name) => name !== 'view')
      .map((name) => [name, undefined]),
  );
  return [params.project ?? me.default_project, (project) => change({ ...cleared, project })];
}
