import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';

/** A sheet from the right for the details of one thing; the whole width on a phone. */
export function Drawer({
  open,
  onClose,
  title,
  description,
  actions,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-black/30" />
        <Dialog.Content
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className="slide-in fixed inset-y-0 right-0 z-50 flex w-full max-w-[40rem] flex-col border-line border-l bg-surface shadow-float outline-none"
        >
          <header className="flex items-start gap-3 border-line border-b p-4">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="break-words font-semibold text-lead">{title}</Dialog.Title>
              <Dialog.Description className="mt-0.5 text-soft">{description}</Dialog.Description>
            </div>
            {actions}
            <Dialog.Close asChild>
              <IconButton icon="cross" label="Close" />
            </Dialog.Close>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section tabIndex={0} aria-label="Details" className="min-h-0 flex-1 overflow-y-auto p-4">
            {children}
          </section>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
