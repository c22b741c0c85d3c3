import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '../numbers.ts';
import { useParams, useView } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { SelectField } from '../ui/field.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ConsentView } from './consent-view.tsx';
import { MemoriesView } from './memories-view.tsx';
import { MemoryDrawer } from './memory-drawer.tsx';
import { MemoryModal } from './memory-modal.tsx';
import { NewProfile } from './new-profile.tsx';
import { ProposalsView } from './proposals-view.tsx';
import { memoryCountsQuery, type Profile, profilesQuery } from './queries.ts';

const views = { memories: MemoriesView, proposals: ProposalsView, consent: ConsentView } as const;
export function MemoryPage() {
  const [params, change] = useParams();
  const query = useQuery(profilesQuery);
  const profile = params.profile ?? query.data?.[0]?.did;
  return (
    <>
      <PageHeader
        title="Memory"
        lead="What is known about a person, with whose consent, and who has seen it. Agents propose; only the person keeps, shares and erases."
        actions={
          query.data &&
          query.data.length > 1 && (
            <SelectField
              label="Profile"
              className="flex items-center gap-2 [&_label]:mb-0 [&_select]:w-64"
              options={query.data.map(({ did }) => [did, did] as const)}
              value={profile}
              onChange={(event) => change({ profile: event.target.value, memory: undefined })}
            />
          )
        }
      />
      <QueryView query={query} rows={6}>
        {(profiles) =>
          profile === undefined ? <NewProfile /> : <Kept profiles={profiles} profile={profile} />
        }
      </QueryView>
    </>
  );
}

function Kept({ profiles, profile }: { profiles: readonly Profile[]; profile: string }) {
  const [params, change] = useParams();
  const [view, show] = useView(['memories', 'proposals', 'consent']);
  const Chosen = views[view];
  const open = (id: string | undefined) => change({ memory: id });
  const waiting = useQuery(memoryCountsQuery(profile)).data?.proposals ?? 0;
  const [adding, setAdding] = useState(false);
  const known = profiles.find(({ did }) => did === profile);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Choice
          label="Views"
          options={[
            ['memories', 'Memories'],
            ['proposals', waiting > 0 ? `Proposals (${count(waiting)})` : 'Proposals'],
            ['consent', 'Consent'],
          ]}
          chosen={view}
          onChange={(next) => show(next, { q: undefined })}
        />
        <span className="flex flex-wrap items-center gap-3">
          {known && <code className="break-all font-mono text-faint text-small">{known.did}</code>}
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add a memory
          </Button>
        </span>
      </div>
      <div className="mt-4">
        <Chosen key={profile} profile={profile} onOpen={open} />
      </div>
      {params.memory !== undefined && (
        <MemoryDrawer profile={profile} id={params.memory} onMoved={open} onClose={() => open(undefined)} />
      )}
      {adding && (
        <MemoryModal
          profile={profile}
          onClose={() => setAdding(false)}
          onKept={(id) => {
            setAdding(false);
            open(id);
          }}
        />
      )}
    </>
  );
}
