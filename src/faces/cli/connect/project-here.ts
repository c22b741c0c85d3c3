import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';
import { isBound, projectFileAbove } from './binding.ts';
import { listBoundRepositories } from './bound-repositories.ts';
import { listConnections } from './connection-record.ts';

/**
 * The project of the repository that a command runs in, where a person bound it to the store that is asked. An agent's
 * credential has a project of its own, so nothing is looked for then.
 */
export async function projectHere({ settings }: Host, folder = process.cwd()): Promise<string | undefined> {
  if (settings.token !== undefined) return undefined;
  const file = projectFileAbove(folder, settings.dataDir);
  if (!file) return undefined;
  const connected = (await listConnections(settings.dataDir)).filter(({ url }) => url === settings.url);
  if (connected.some((record) => isBound(record, file))) return file.project;
  const bound = settings.url === undefined ? await listBoundRepositories(settings.dataDir) : [];
  return bound.some(({ root, project }) => isBound({ project, repositories: [root] }, file))
    ? file.project
    : undefined;
}

/** What a command without `--project` means: the repository's, else the credential's default. */
export async function projectOrDefault(
  connection: Connection,
  host: Host,
  named: string | undefined,
): Promise<string> {
  return (
    named ?? (await projectHere(host)) ?? (await ask(connection, host, 'identity.whoami', {})).default_project
  );
}
