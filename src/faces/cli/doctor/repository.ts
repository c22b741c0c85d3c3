import { projectFileAbove } from '../connect/binding.ts';
import { boundRecords } from '../connect/bound-here.ts';
import { boundRepositoryAt } from '../connect/bound-repositories.ts';
import { listConnections } from '../connect/connection-record.ts';
import { placesHere } from '../connect/places.ts';
import type { Host } from '../host.ts';
import { findClients } from '../init/find-clients.ts';
import { pinRules } from '../init/init-repository.ts';
import { readRules } from '../init/rules.ts';
import { ask, withConnection } from '../operation.ts';
import { type Check, checked, fail, ok, warn } from './check.ts';
import { clientChecks } from './client.ts';

/** The repository around this folder: its project, its rules, and each client that is connected there. */
export async function repositoryChecks(host: Host): Promise<Check[]> {
  const { dataDir } = host.settings;
  const file = projectFileAbove(process.cwd(), dataDir);
  if (!file)
    return [warn('repository', 'this folder belongs to no project', 'baton init, in a git repository')];
  const { root, project } = file;
  const records = boundRecords(await listConnections(dataDir), file);
  const checks = [ok('repository', `${root}, project ${project}`)];
  const remote = records.some(({ url }) => url !== undefined);
  if (!remote) {
    checks.push(await checked('project', () => projectCheck(host, project)));
    checks.push(await checked('rules', () => rulesCheck(host, root, project)));
  }
  if (records.length === 0) {
    checks.push(
      (await boundRepositoryAt(dataDir, root))
        ? warn('clients', 'none is connected here', 'baton connect CLIENT')
        : fail('clients', 'none is connected here', 'baton init'),
    );
  }
  for (const record of records) checks.push(...(await clientChecks(host, { root }, record)));
  const missing = (await findClients(placesHere())).filter(
    ({ name }) => !records.some(({ editor }) => editor === name),
  );
  if (records.length > 0 && missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    checks.push(warn('clients', `on this machine but not connected here: ${names}`, 'baton init'));
  }
  return checks;
}

async function projectCheck(host: Host, project: string): Promise<Check> {
  return withConnection(host, async (to) => {
    const { archived_at } = await ask(to, host, 'projects.get', { project_id: project });
    return archived_at === null
      ? ok('project', project)
      : fail('project', `${project} is archived: it takes no new work`, `baton projects restore ${project}`);
  });
}

async function rulesCheck(host: Host, root: string, project: string): Promise<Check> {
  return withConnection(host, async (to) => {
    const { file, loaded } = await readRules(to, host, { root }, project);
    if (!loaded) return fail('rules', 'none of this repository are loaded', 'baton guard update');
    const { dataDir } = host.settings;
    const state = `${loaded.id} ${loaded.version}, ${loaded.mode === 'enforce' ? 'enforced' : 'only recorded'}`;
    if (loaded.digest !== file.digest) {
      return warn('rules', `${state}; .baton/atlas differs (${file.manifest.version})`, 'baton guard update');
    }
    const records = (await listConnections(dataDir)).filter((each) => each.project === project);
    const pinned = records.every(
      ({ atlas }) => atlas?.digest === loaded.digest && atlas.mode === loaded.mode,
    );
    if (pinned) return ok('rules', state);
    return {
      ...warn('rules', `${state}; connections do not know it`, 'baton doctor --fix'),
      fix: async () => {
        await pinRules(dataDir, project, loaded);
        return 'noted the loaded rules in every connection';
      },
    };
  });
}
