import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';

const PAGE = 200;

interface ListedKey {
  readonly key_id: string;
  readonly label: string | null;
  readonly revoked_at: string | null;
}

export interface MintedKey {
  readonly keyId: string;
  readonly token: string;
}

/** How `baton keys list` shows what a key is for. */
function labelOf(connection: string): string {
  return `connection ${connection}`;
}

/** The keys of a connection that still work. */
export async function liveKeys(to: Connection, host: Host, connection: string): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  for (;;) {
    const { keys } = (await ask(to, host, 'keys.list', { limit: PAGE, after })) as { keys: ListedKey[] };
    const ours = keys.filter(({ label, revoked_at }) => label === labelOf(connection) && revoked_at === null);
    found.push(...ours.map(({ key_id }) => key_id));
    if (keys.length < PAGE) return found;
    after = keys.at(-1)?.key_id;
  }
}

/** An agent's key for one project: it works and never decides. */
export async function mintKey(
  to: Connection,
  host: Host,
  connection: string,
  grant: { readonly actorId: string; readonly title: string; readonly project: string },
): Promise<MintedKey> {
  const { key_id, token } = await ask(to, host, 'keys.create', {
    actor_id: grant.actorId,
    actor_type: 'agent',
    display_name: grant.title,
    label: labelOf(connection),
    role: 'agent',
    projects: [grant.project],
    default_project: grant.project,
  });
  return { keyId: key_id, token };
}

export async function revokeKeys(to: Connection, host: Host, keyIds: readonly string[]): Promise<void> {
  for (const key_id of keyIds) await ask(to, host, 'keys.revoke', { key_id });
}
