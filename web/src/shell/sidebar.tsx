import { useMe } from '../api/session.ts';
import { ProjectSwitcher } from '../projects/project-switcher.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const me = useMe();
  return (
    <div className="flex h-full flex-col gap-5 overflow-y-auto px-3 py-5">
      <span className="flex items-center gap-3 px-2 font-semibold text-lead tracking-tight">
        <Logo />
        Baton
      </span>
      <div className="flex flex-col gap-2">
        <PaletteButton />
        <ProjectSwitcher />
      </div>
      <Navigation {...(onLeave && { onLeave })} />
      <div className="mt-auto flex items-center gap-3 border-line border-t px-2 pt-4">
        <Avatar id={me.display_name ?? me.actor_id} type={me.actor_type} />
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block truncate font-semibold">{me.display_name ?? me.actor_id}</span>
          <ConnectionStatus />
        </span>
        <ThemeToggle />
      </div>
    </div>
  );
}
