import { bindProject } from '../connect/bind-project.ts';
import { keepBoundRepository } from '../connect/bound-repositories.ts';
import { type Connected, type ConnectRequest, connectClient } from '../connect/connect-client.ts';
import {
  listConnections,
  type PinnedRules,
  type Touched,
  writeConnection,
} from '../connect/connection-record.ts';
import type { Editor } from '../connect/editors.ts';
import type { Repository } from '../connect/repository.ts';
import type { Connection, Host } from '../host.ts';
import { makeProfile, type OwnProfile } from './profile.ts';
import { loadRules, makeRules, readRules } from './rules.ts';

export interface InitRequest extends Pick<ConnectRequest, 'team' | 'hooks' | 'prompts'> {
  readonly repository: Repository;
  readonly clients: readonly Editor[];
  readonly project?: string | undefined;
}

export interface Initialised {
  readonly project: string;
  readonly createdProject: boolean;
  /** The name that the project would have had. */
  readonly taken?: string | undefined;
  readonly made: readonly Touched[];
  readonly rules: PinnedRules;
  readonly profile: OwnProfile | undefined;
  /** What the files say, where it differs from what is loaded. */
  readonly changedRules: string | undefined;
  readonly connected: readonly (Connected & { readonly client: Editor })[];
  /** Clients whose files cannot be edited, with the reason. The others are connected all the same. */
  readonly failed: readonly { readonly client: Editor; readonly reason: string }[];
}

/** Binds a repository, loads its rules in `log_only` if none are loaded, and connects the clients. Safe to repeat. */
export async function initRepository(to: Connection, host: Host, request: InitRequest): Promise<Initialised> {
  const { repository, clients, team, hooks, prompts } = request;
  const bound = await bindProject(to, host, repository, request.project);
  const { project, created, taken } = bound;
  const made = [...bound.made, ...(await makeRules(repository, project))];
  const present = await readRules(to, host, repository, project);
  const rules = present.loaded ?? (await loadRules(to, host, { repository, project, mode: 'log_only' }));
  const changedRules = rules.digest === present.file.digest ? undefined : present.file.manifest.version;
  const profile = await makeProfile(to, host, project);
  const connected: (Connected & { client: Editor })[] = [];
  const failed: { client: Editor; reason: string }[] = [];
  for (const client of clients) {
    const wanted = { editor: client, project, repository, made, team, hooks, prompts, atlas: rules };
    try {
      connected.push({ client, ...(await connectClient(to, host, wanted)) });
    } catch (error) {
      failed.push({ client, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (!(await isConnected(host.settings.dataDir, repository.root)))
    await keepBoundRepository(host.settings.dataDir, { root: repository.root, project, made });
  await pinRules(host.settings.dataDir, project, rules);
  return { project, createdProject: created, taken, made, rules, profile, changedRules, connected, failed };
}

async function isConnected(dataDir: string, root: string): Promise<boolean> {
  return (await listConnections(dataDir)).some(({ repositories }) => repositories?.includes(root));
}

/** Every connection of the project knows which rules were loaded last. */
export async function pinRules(dataDir: string, project: string, atlas: PinnedRules): Promise<void> {
  for (const record of await listConnections(dataDir)) {
    const { digest, mode } = record.atlas ?? {};
    if (record.project !== project || (digest === atlas.digest && mode === atlas.mode)) continue;
    await writeConnection(dataDir, { ...record, atlas });
  }
}
