import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { proveByPasskey } from './passkeys.ts';

/** Proves presence with one touch; what waits for it sees it in `whoami`. */
export function PasskeyButton({ onProved }: { onProved?: () => void }) {
  const queries = useQueryClient();
  const proving = useMutation({
    mutationFn: proveByPasskey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['whoami'] });
      onProved?.();
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <Button icon="key" busy={proving.isPending} onClick={() => proving.mutate()}>
        Use your passkey
      </Button>
      {proving.error && <ErrorNote error={proving.error} />}
    </div>
  );
}
