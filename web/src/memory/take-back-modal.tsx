import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';

/** A policy by its id, or everything that an agent was given by its DID. */
export interface Taken {
  readonly kind: 'policy' | 'access';
  readonly id: string;
  readonly name: string;
}

interface TakeBackModalProps {
  readonly profile: string;
  readonly taken: Taken;
  readonly onClose: () => void;
}

export function TakeBackModal({ profile, taken, onClose }: TakeBackModalProps) {
  const queries = useQueryClient();
  const taking = useMutation({
    mutationFn: () =>
      taken.kind === 'policy'
        ? client.call('memory.policy.delete', { profile, id: taken.id })
        : client.call('memory.access.revoke', { profile, agent: taken.id }),
    onSuccess: () => {
      onClose();
      void queries.invalidateQueries({ queryKey: ['memory'] });
    },
  });
  return (
    <Modal
      open
      onClose={onClose}
      title={taken.kind === 'policy' ? `Take back “${taken.name}”?` : `Revoke the access of ${taken.name}?`}
      description="It takes effect at once. It cannot undo what an agent has already read; the journal shows what that was."
    >
      {taking.error && <ErrorNote error={taking.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Leave it</Button>
        <Button tone="bad" busy={taking.isPending} onClick={() => taking.mutate()}>
          {taken.kind === 'policy' ? 'Take back' : 'Revoke'}
        </Button>
      </div>
    </Modal>
  );
}
