import { Link } from '@tanstack/react-router';
import { PasskeyButton } from '../presence/passkey-button.tsx';
import { TextField } from '../ui/field.tsx';

interface PresencePromptProps {
  readonly hasPassphrase: boolean;
  readonly hasPasskey: boolean;
  readonly passphrase: string;
  readonly onChange: (passphrase: string) => void;
}

/** The passphrase goes with the decision; a passkey proves presence at once, and this is then gone. */
export function PresencePrompt({ hasPassphrase, hasPasskey, passphrase, onChange }: PresencePromptProps) {
  return (
    <div className="flex flex-col gap-3 rounded-control bg-warn-soft p-3">
      <p className="font-medium text-warn">
        A decision of this risk needs proof that you are here. It holds for 15 minutes.
      </p>
      {hasPasskey && <PasskeyButton />}
      {hasPassphrase && (
        <TextField
          label="Passphrase"
          type="password"
          autoComplete="current-password"
          autoFocus={!hasPasskey}
          required={!hasPasskey}
          value={passphrase}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

/** A session proves nothing, and there is neither a passphrase nor a passkey that could. */
export function NoPassphrase() {
  return (
    <p className="rounded-control bg-warn-soft p-3 font-medium text-warn">
      A decision of this risk needs proof that you are here, and you have neither a passphrase nor a passkey
      yet.{' '}
      <Link to="/settings" className="underline underline-offset-4">
        Set one in the settings
      </Link>
      , then decide.
    </p>
  );
}
