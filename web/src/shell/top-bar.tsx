import { lazy, Suspense, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { Logo } from './logo.tsx';

const NavigationDrawer = lazy(async () => ({
  default: (await import('./navigation-drawer.tsx')).NavigationDrawer,
}));

/** On narrow screens the navigation lies behind a button. */
export function TopBar() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-line border-b bg-canvas px-3 lg:hidden print:hidden">
      <IconButton
        ref={button}
        icon="menu"
        label="Open the navigation"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <NavigationDrawer
            onClose={() => {
              setOpen(false);
              button.current?.focus();
            }}
          />
        </Suspense>
      )}
      <span className="flex items-center gap-2.5 font-semibold">
        <Logo size={24} />
        Baton
      </span>
      <span className="ml-auto pr-1">
        <ConnectionStatus />
      </span>
    </header>
  );
}
