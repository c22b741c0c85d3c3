import { Dialog } from 'radix-ui';
import { Sidebar } from './sidebar.tsx';

/** The navigation of a narrow screen, over the page. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-black/30" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fade-in fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-line border-r bg-canvas shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Sidebar onLeave={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
