import pc from 'picocolors';
import { listConnections } from '../connect/connection-record.ts';
import { editors } from '../connect/editors.ts';
import type { Places } from '../connect/places.ts';
import type { Host } from '../host.ts';
import { table } from '../output.ts';

/** Which editors there are, where each is configured, and which connections this data directory holds. */
export async function printEditors(host: Host, places: Places, json: boolean): Promise<void> {
  const connections = (await listConnections(host.settings.dataDir)).map(
    ({ name, editor, actorId, project, keyId, files }) => ({
      connection: name,
      editor,
      project,
      actor_id: actorId,
      key_id: keyId,
      files: files.map(({ path }) => path),
    }),
  );
  const known = editors.map((editor) => ({
    editor: editor.name,
    title: editor.title,
    project_file: editor.projectFile ?? null,
    user_file: editor.userFile(places),
  }));
  if (json) {
    process.stdout.write(`${JSON.stringify({ editors: known, connections })}\n`);
    return;
  }
  const rows = connections.map(({ files, ...rest }) => ({ ...rest, files: files.join(', ') }));
  process.stdout.write(
    `${table(known)}\n\n${rows.length === 0 ? pc.dim('No connection yet: `baton connect EDITOR` makes one.') : table(rows)}\n`,
  );
}
