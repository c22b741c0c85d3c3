import { useQuery } from '@tanstack/react-query';
import { Card } from '../ui/card.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AtlasCard } from './atlas-card.tsx';
import { NoAtlas } from './no-atlas.tsx';
import { atlasesQuery } from './queries.ts';
import type { PolicyViewProps } from './view-props.ts';

export function AtlasesView({ project }: PolicyViewProps) {
  const query = useQuery(atlasesQuery(project));
  return (
    <QueryView query={query} rows={6}>
      {(atlases) =>
        atlases.length === 0 ? (
          <Card>
            <NoAtlas project={project} />
          </Card>
        ) : (
          <div className="flex flex-col gap-4">
            {atlases.map((atlas) => (
              <AtlasCard key={atlas.atlas_id} project={project} atlas={atlas} />
            ))}
          </div>
        )
      }
    </QueryView>
  );
}
