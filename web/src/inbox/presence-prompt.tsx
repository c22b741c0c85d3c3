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
