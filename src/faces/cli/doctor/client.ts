import { checkConnection } from '../connect/check-connection.ts';
import { codexHookStates } from '../connect/codex-trust.ts';
import { connectClient, planConnection } from '../connect/connect-client.ts';
import type { ConnectionRecord } from '../connect/connection-record.ts';
import { settingsAs } from '../connect/connection-settings.ts';
import { editorNamed } from '../connect/editors.ts';
import { launchHere, mcpEntry } from '../connect/launch.ts';
import { withConnectionsLock } from '../connect/lock.ts';
import { onThisMachine } from '../connect/open-connection.ts';
import { placesHere, programAt } from '../connect/places.ts';
import type { Repository } from '../connect/repository.ts';
import { shownPath } from '../connect/summary.ts';
import type { Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { type Check, checked, fail, ok, warn } from './check.ts';
import { sendEvent } from './real-event.ts';

/** One client in one repository: its key, its files, its tools, and an event as it would send it. */
export async function clientChecks(
  host: Host,
  repository: Repository,
  record: ConnectionRecord,
): Promise<Check[]> {
  const name = (what: string) => `${record.editor}: ${what}`;
  const checks = [
    await checked(name('key'), () => keyCheck(host, record, name('key'))),
    await checked(name('files'), () => filesCheck(host, repository, record, name('files'))),
    await checked(name('tools'), () => toolsCheck(host, repository, record, name('tools'))),
  ];
  if (record.hooks?.enabled === false || !editorNamed(record.editor).hooks || record.token === '')
    return checks;
  if (record.editor === 'codex') {
    checks.push(await checked(name('trust'), () => trustCheck(repository, name('trust'))));
  }
  if (record.offIn?.includes(repository.root)) {
    return [...checks, warn(name('hooks'), 'switched off in this repository', 'baton hooks on')];
  }
  return [...checks, await checked(name('event'), () => eventCheck(host, repository, record, name('event')))];
}

async function keyCheck(host: Host, record: ConnectionRecord, name: string): Promise<Check> {
  if (record.token === '') return ok(name, 'the client signs in by itself');
  const as: Host = { ...host, settings: settingsAs(host.settings, record) };
  return withConnection(as, async (to) => {
    const me = await ask(to, as, 'identity.whoami', {});
    return me.actor_type === 'agent' && (me.projects.includes(record.project) || me.projects.includes('*'))
      ? ok(name, `agent ${me.actor_id} of project ${record.project}`)
      : fail(name, `it is ${me.actor_type} ${me.actor_id}, not an agent of ${record.project}`);
  });
}

async function filesCheck(
  host: Host,
  repository: Repository,
  record: ConnectionRecord,
  name: string,
): Promise<Check> {
  const editor = editorNamed(record.editor);
  const remote =
    record.url === undefined ? undefined : { url: record.url, ...(record.token && { key: record.token }) };
  const request = { editor, project: record.project, repository, remote };
  const edits = await planConnection(host, request);
  const wrong = [
    ...new Set(edits.filter((edit) => edit.before !== edit.after).map(({ touched }) => touched.path)),
  ];
  if (wrong.length === 0)
    return ok(name, [...new Set(edits.map(({ touched }) => shownPath(touched.path)))].join(', '));
  const detail = `not as they should be: ${wrong.map(shownPath).join(', ')}`;
  if (remote) return fail(name, detail, `baton connect ${record.editor} --url ${record.url}`);
  return {
    ...fail(name, detail, `baton connect ${record.editor}`),
    fix: async () => {
      await withConnectionsLock(host.settings.dataDir, () =>
        onThisMachine(host, (to) => connectClient(to, host, request)),
      );
      return `wrote ${wrong.map(shownPath).join(', ')}`;
    },
  };
}

async function toolsCheck(
  host: Host,
  { root }: Repository,
  record: ConnectionRecord,
  name: string,
): Promise<Check> {
  if (record.token === '') return ok(name, `served by ${record.url}`);
  const entry = mcpEntry(await launchHere(host.settings, placesHere()), '--client', record.editor);
  const { tools } = await checkConnection(entry, record.project, root);
  return ok(name, `${tools} tools answer`);
}

async function trustCheck({ root }: Repository, name: string): Promise<Check> {
  const program = await programAt('codex', placesHere());
  if (program === undefined) return warn(name, 'codex is not on your PATH, so nobody can ask it');
  const states = await codexHookStates(program, root);
  if (!states) return warn(name, 'codex did not answer', 'Open `codex` here and look at `/hooks`.');
  const open = states.filter(({ trusted }) => !trusted).length;
  return open === 0 && states.length > 0
    ? ok(name, `${states.length} hooks are trusted`)
    : fail(name, `Codex runs none of ${open || 'our'} hooks: they are not trusted`, 'baton connect codex');
}

async function eventCheck(
  host: Host,
  { root }: Repository,
  record: ConnectionRecord,
  name: string,
): Promise<Check> {
  const launch = await launchHere(host.settings, placesHere());
  const { code, stdout } = await sendEvent(launch, record.editor, root);
  if (code === 0 && stdout.trim() !== '') return ok(name, `a session began, was oriented and ended`);
  return fail(name, `the hook answered nothing (exit ${code})`, `See hooks.log in ${host.settings.dataDir}`);
}
