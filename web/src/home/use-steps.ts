import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { maySee, useMe } from '../api/session.ts';
import { atlasesQuery } from '../policies/queries.ts';
import { useVerification } from './use-verification.ts';

export interface Step {
  readonly title: string;
  readonly why: string;
  readonly command: string;
  /** Where the same is done on a page. */
  readonly page?: { readonly to: string; readonly words: string; readonly search?: Record<string, string> };
}

const agentsQuery = queryOptions({
  queryKey: ['keys', 'agents'],
  queryFn: async ({ signal }) => {
    for (let after: string | null = null; ; ) {
      const asked: { limit: number; after?: string } = { limit: 200, ...(after !== null && { after }) };
      const { keys, next } = await client.call('keys.list', asked, { signal });
      if (keys.some(({ actor_type, revoked_at }) => actor_type === 'agent' && revoked_at === null))
        return true;
      if (next === null) return false;
      after = next;
    }
  },
});

const anyPackageQuery = (project: string) =>
  queryOptions({
    queryKey: ['context', 'any', project],
    queryFn: async ({ signal }) => {
      const found = await client.call('packages.list', { project_id: project, limit: 1 }, { signal });
      return found.length > 0;
    },
  });

/** What is still to be done, as far as this credential can know it; nothing is said before it is known. */
export function useSteps(project: string): readonly Step[] {
  const me = useMe();
  const agents = useQuery({ ...agentsQuery, enabled: maySee(me, 'keys:manage') });
  const packages = useQuery({
    ...anyPackageQuery(project),
    enabled: maySee(me, 'packages:read'),
  });
  const atlases = useQuery({ ...atlasesQuery(project), enabled: maySee(me, 'atlas:read') });
  const { last } = useVerification();
  const steps: readonly (Step & { readonly open: boolean })[] = [
    {
      title: 'Connect a coding agent',
      why: 'It gets its own key, so the journal shows what it did, and it can never approve its own requests.',
      command: 'npx baton-ledger connect',
      page: { to: '/connect', words: 'Connect one here' },
      open: agents.data === false,
    },
    {
      title: 'Deposit the first package',
      why: 'What was done, decided and left open: the next agent starts from it.',
      command: 'npx baton-ledger deposit --title "Set up the project"',
      open: packages.data === false,
    },
    {
      title: 'Define what agents may do',
      why: 'Rules are defined in an Atlas. Without one, agents can run no governed action.',
      command: 'npx baton-ledger atlas load ./my-atlas',
      page: { to: '/policies', search: { view: 'workbench' }, words: 'Open the workbench' },
      open: atlases.data?.length === 0,
    },
    {
      title: 'Look around a filled one',
      why: 'Three projects at work, on a server of its own that is gone when you stop it.',
      command: 'npx baton-ledger demo world',
      open: agents.data === false && packages.data === false,
    },
    {
      title: 'Check the record yourself',
      why: 'Verification needs no trust in this page.',
      command: 'npx baton-ledger journal verify',
      open: maySee(me, 'journal:verify') && last === undefined,
    },
  ];
  return steps.filter(({ open }) => open);
}
