import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';

/** A question in the middle of the page. */
export function Modal({
  open,
  onClose,
  title,
  description,
  wide = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** For a table of what it is about. */
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          className={`fade-in fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col gap-4 overflow-y-auto rounded-card border border-line bg-raised p-5 shadow-float outline-none ${wide ? 'max-w-3xl' : 'max-w-md'}`}
        >
          <div>
            <Dialog.Title className="font-semibold text-lead">{title}</Dialog.Title>
            <Dialog.Description className="mt-1 text-soft">{description}</Dialog.Description>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
