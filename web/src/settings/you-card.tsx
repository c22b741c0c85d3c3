import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut, useMe } from '../api/session.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { FactsList } from '../ui/facts-list.tsx';

export function YouCard() {
  const me = useMe();
  const queries = useQueryClient();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => queries.resetQueries({ queryKey: ['whoami'] }),
  });
  return (
    <Card
      title="You"
      aside={
        me.credential.kind === 'dashboard' && (
          <Button tone="quiet" icon="leave" busy={leaving.isPending} onClick={() => leaving.mutate()}>
            Sign out
          </Button>
        )
      }
    >
      <FactsList
        facts={[
          ['Name', <ActorName key="name" id={me.display_name ?? me.actor_id} type={me.actor_type} />],
          ['May do', listed(me.scopes, 'everything')],
          ['May see', listed(me.projects, 'all projects')],
          ['Default project', me.default_project],
          [
            'Presence',
            me.present ? (
              <Badge key="presence" tone="good" icon="check">
                Proved in the last 15 minutes
              </Badge>
            ) : (
              <Badge key="presence">
                {me.passphrase_set || me.passkeys > 0 ? 'Asked for when needed' : 'Nothing set to prove it'}
              </Badge>
            ),
          ],
        ]}
      />
      {leaving.error && (
        <div className="mt-4">
          <ErrorNote error={leaving.error} />
        </div>
      )}
    </Card>
  );
}

function listed(names: readonly string[], all: string): string {
  return names.includes('*') ? all : names.join(', ');
}
