import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BatonError } from '../../../kernel/error.ts';
import { asString } from '../../../kernel/json/loose.ts';
import type { Connection, Host } from '../host.ts';
import { ask, type Body } from '../operation.ts';
import { PROJECT_FILE, readProjectFile } from './binding.ts';
import { listBoundRepositories } from './bound-repositories.ts';
import { listConnections, type Touched } from './connection-record.ts';
import { connectErrors } from './errors.ts';
import { makeFile } from './made-files.ts';
import { projectName, type Repository, remoteOf } from './repository.ts';

export interface BoundProject {
  readonly project: string;
  /** Whether the project was made now. */
  readonly created: boolean;
  /** The name that it would have had, which a project of other work has, or of this repository before it was disconnected. */
  readonly taken?: string;
  readonly made: readonly Touched[];
}

/**
 * Which project a repository belongs to, made where it is missing. Two repositories share one only where they say the
 * same address of `origin`, or the person names it: what a cloned file says is not enough.
 */
export async function bindProject(
  to: Connection,
  host: Host,
  repository: Repository,
  given: string | undefined,
  /** Without a key for a server elsewhere, nobody can ask it; its project is taken as named. */
  ensured = true,
): Promise<BoundProject> {
  await requireUsable(repository, host.settings.dataDir);
  const remote = await remoteOf(repository);
  const file = readProjectFile(repository.root);
  if (file && given !== undefined && given !== file.project) {
    throw connectErrors.repository_unusable({
      message: `.baton/project.json says that this repository belongs to ${file.project}, not to ${given}.`,
      next: 'Change the file first, or leave `--project` out.',
    });
  }
  if (file && given === undefined)
    await requireNotTaken(host.settings.dataDir, repository, file.project, remote);
  const wanted = given ?? file?.project;
  const name = projectName(repository, remote);
  const { project, created } =
    wanted === undefined
      ? await ownProject(to, host, name, remote)
      : ensured
        ? await ensureProject(to, host, wanted, remote)
        : { project: wanted, created: false };
  const made = file
    ? []
    : [await makeFile(repository, PROJECT_FILE, `${JSON.stringify({ project }, null, 2)}\n`)];
  const taken = wanted === undefined && created && project !== name;
  return {
    project,
    created,
    ...(taken && { taken: name }),
    made: made.filter((each) => each !== undefined),
  };
}

/** `--project X` in a folder that is no repository. */
export async function ensureProject(
  to: Connection,
  host: Host,
  project: string,
  remote?: string,
): Promise<{ readonly project: string; readonly created: boolean }> {
  const existing = await projectNamed(to, host, project);
  if (existing) return { project, created: false };
  try {
    await ask(to, host, 'projects.create', {
      project_id: project,
      ...(remote !== undefined && { repository: remote }),
    });
    return { project, created: true };
  } catch (error) {
    if (!(error instanceof BatonError) || (error.status !== 403 && error.status !== 404)) throw error;
    throw connectErrors.repository_unusable({
      message: `There is no project ${project} that your key can see, and the key may not create it.`,
      next: `Ask an owner to run: baton projects create ${project}`,
      cause: error,
    });
  }
}

/** A project of this name that is this repository's, or the first free name after it. */
async function ownProject(to: Connection, host: Host, name: string, remote: string | undefined) {
  for (let at = 1; ; at += 1) {
    const project = at === 1 ? name : `${name}-${at}`;
    const existing = await projectNamed(to, host, project);
    if (!existing) return ensureProject(to, host, project, remote);
    if (remote !== undefined && asString(existing.repository) === remote) return { project, created: false };
  }
}

async function projectNamed(to: Connection, host: Host, project: string): Promise<Body | undefined> {
  return ask(to, host, 'projects.get', { project_id: project }).catch((error) => {
    if (error instanceof BatonError && error.status === 404) return undefined;
    throw error;
  });
}

async function requireNotTaken(
  dataDir: string,
  { root }: Repository,
  project: string,
  remote: string | undefined,
): Promise<void> {
  const roots = await rootsOf(dataDir, project);
  if (roots.length === 0 || roots.includes(root)) return;
  for (const other of roots) {
    if (remote !== undefined && (await remoteOf({ root: other })) === remote) return;
  }
  throw connectErrors.project_taken({
    message: `.baton/project.json names the project ${project}, which belongs to ${roots[0]} on this machine.`,
    next: `If both are the same work: \`--project ${project}\`. Otherwise delete .baton/project.json and run this again.`,
  });
}

async function rootsOf(dataDir: string, project: string): Promise<string[]> {
  const connected = (await listConnections(dataDir)).map(({ project, repositories = [] }) => ({
    project,
    roots: repositories,
  }));
  const bound = (await listBoundRepositories(dataDir)).map(({ project, root }) => ({
    project,
    roots: [root],
  }));
  const found = [...connected, ...bound].filter((each) => each.project === project);
  return [...new Set(found.flatMap(({ roots }) => roots))];
}

async function requireUsable({ root }: Repository, dataDir: string): Promise<void> {
  const real = (path: string) => realpath(path).catch(() => path);
  const data = await real(dataDir);
  if (root === (await real(homedir())) || (await real(join(root, '.baton'))) === data) {
    throw connectErrors.repository_unusable({
      message: `${root} is your home folder or holds Baton’s data: every folder below it would belong to one project.`,
    });
  }
  const found = await lstat(join(root, PROJECT_FILE)).catch(() => undefined);
  if (found && !readProjectFile(root)) {
    throw connectErrors.config_unusable({
      message: `${join(root, PROJECT_FILE)} does not name a project.`,
      next: 'It is one JSON object: {"project": "ID"}. Correct it, or delete it.',
    });
  }
}
