import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { Logo } from './logo.tsx';
import { Sidebar } from './sidebar.tsx';

/** On narrow screens the navigation lies behind a button. */
export function TopBar() {
  const [open, setOpen] = useState(false);
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-line border-b bg-canvas px-3 lg:hidden">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <IconButton icon="menu" label="Open the navigation" />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-black/30" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fade-in fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-line border-r bg-canvas shadow-float outline-none"
          >
            <Dialog.Title className="sr-only">Navigation</Dialog.Title>
            <Sidebar onLeave={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
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
