import { useQuery } from '@tanstack/react-query';
import { Card } from '../ui/card.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AtlasCard } from './atlas-card.tsx';
import { NoAtlas } from './no-atlas.tsx';
import { atlasesQuery } from './queries.ts';

export function AtlasesView() {
  const query = useQuery(atlasesQuery);
  return (
    <QueryView query={query} rows={6}>
      {(atlases) =>
        atlases.length === 0 ? (
          <Card>
            <NoAtlas />
          </Card>
        ) : (
          <div className="flex flex-col gap-4">
            {atlases.map((atlas) => (
              <AtlasCard key={atlas.atlas_id} atlas={atlas} />
            ))}
          </div>
        )
      }
    </QueryView>
  );
}
