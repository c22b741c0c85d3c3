import { useQuery } from '@tanstack/react-query';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { attestationsQuery } from './queries.ts';

export function PackageAttestations({ project, id }: { project: string; id: string }) {
  const query = useQuery(attestationsQuery(project, id));
  return (
    <QueryView query={query}>
      {({ attestations }) =>
        attestations.length === 0 ? (
          <>
            <p className="mb-3 text-soft">
              Nobody has signed it. Whoever stands behind it can, with a key of their own:
            </p>
            <CommandLine command={`npx baton-ledger attest ${id}`} />
          </>
        ) : (
          <ul className="flex flex-col gap-4">
            {attestations.map((each) => (
              <li key={`${each.keyid} ${each.role}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge tone={each.valid ? 'good' : 'bad'} icon={each.valid ? 'check' : 'warning'}>
                  {each.valid ? 'Signature holds' : (each.reason ?? 'Signature does not hold')}
                </Badge>
                {each.actor && <ActorName id={each.actor.id} type={each.actor.type} />}
                {each.role && <span className="text-soft">as {each.role}</span>}
                <ShortId value={each.keyid} label="the key’s id" />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}
