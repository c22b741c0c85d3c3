import { Link } from '@tanstack/react-router';
import { TextField } from '../ui/field.tsx';

interface PresencePromptProps {
  readonly passphrase: string;
  readonly onChange: (passphrase: string) => void;
}

export function PresencePrompt({ passphrase, onChange }: PresencePromptProps) {
  return (
    <div className="rounded-control bg-warn-soft p-3">
      <p className="mb-2 font-medium text-warn">
        A decision of this risk needs proof that you are here. The passphrase holds for 15 minutes.
      </p>
      <TextField
        label="Passphrase"
        type="password"
        autoComplete="current-password"
        autoFocus
        required
        value={passphrase}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Where the way in proves no presence and there is no passphrase that could. */
export function NoPassphrase() {
  return (
    <p className="rounded-control bg-warn-soft p-3 font-medium text-warn">
      A decision of this risk needs proof that you are here, and you have no passphrase yet.{' '}
      <Link to="/settings" className="underline underline-offset-4">
        Set one in the settings
      </Link>
      , then decide.
    </p>
  );
}
