import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import type { Key } from './keys-card.tsx';

interface RevokeKeyModalProps {
  readonly item: Key;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onRevoke: () => void;
  readonly onClose: () => void;
}

export function RevokeKeyModal({ item, busy, error, onRevoke, onClose }: RevokeKeyModalProps) {
  return (
    <Modal
      open
      onClose={onClose}
      title={`Revoke the key of ${item.actor_id}?`}
      description="It stops working at once, with every session that came from it. This cannot be undone; a new key can be made."
    >
      {error !== null && error !== undefined && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button tone="bad" busy={busy} onClick={onRevoke}>
          Revoke
        </Button>
      </div>
    </Modal>
  );
}
