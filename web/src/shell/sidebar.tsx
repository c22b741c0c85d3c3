import { useMe } from '../api/session.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const me = useMe();
  return (
    <div className="flex h-full flex-col gap-6 overflow-y-auto px-3 py-5">
      <span className="flex items-center gap-3 px-2 font-semibold text-lead tracking-tight">
        <Logo />
        Baton
      </span>
      <PaletteButton />
      <Navigation {...(onLeave && { onLeave })} />
      <div className="mt-auto flex flex-col gap-2 border-line border-t px-2 pt-4">
        <ActorName id={me.display_name ?? me.actor_id} type={me.actor_type} />
        <div className="flex items-center justify-between">
          <ConnectionStatus />
          <ThemeToggle />
        </div>
      </div>
    </div>
  );
}
