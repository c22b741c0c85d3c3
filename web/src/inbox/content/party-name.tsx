import { didName } from '../../ui/id-words.ts';

interface PartyNameProps {
  readonly did: string;
  readonly name?: string | undefined;
  readonly display_name?: string | undefined;
}

/** A person or an agent by name, with the DID that it goes by. */
export function PartyName({ did, name, display_name }: PartyNameProps) {
  return (
    <span className="block min-w-0">
      <span className="block break-words">{name ?? display_name ?? didName(did)}</span>
      <code className="block break-all font-mono text-faint text-small">{did}</code>
    </span>
  );
}
