import { BatonError } from '../../../kernel/error.ts';
import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';

export interface OwnProfile {
  readonly did: string;
  readonly created: boolean;
}

/**
 * The person's memory profile in the project, made if it is missing: agents find a person's memories only in the project
 * they work in. They may propose; what they read, the person grants. Undefined where the credential keeps no profile.
 */
export async function makeProfile(
  to: Connection,
  host: Host,
  project: string,
): Promise<OwnProfile | undefined> {
  const me = await ask(to, host, 'identity.whoami', {});
  if (me.actor_type !== 'human') return undefined;
  const word = (text: string) => text.replace(/[^a-zA-Z0-9._-]+/g, '-').slice(0, 50);
  const did = `did:a2p:user:local:${word(String(me.actor_id))}.${word(project)}`;
  try {
    await ask(to, host, 'memory.profile.create', { did, project_id: project });
    return { did, created: true };
  } catch (error) {
    if (!(error instanceof BatonError) || error.status >= 500) throw error;
    return error.code === 'memory_profile_exists' ? { did, created: false } : undefined;
  }
}
