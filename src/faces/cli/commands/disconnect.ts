import { join } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { visible } from '../../../kernel/visible-text.ts';
import { liveKeys, revokeKeys } from '../connect/connection-key.ts';
import { connectionName, forgetConnection, readConnection } from '../connect/connection-record.ts';
import { editors, otherClient } from '../connect/editors.ts';
import { connectErrors } from '../connect/errors.ts';
import { applyEdit, type FileEdit, findEntries, lineDiff, planUndo } from '../connect/file-edits.ts';
import { onThisMachine, projectOr } from '../connect/open-connection.ts';
import type { Host } from '../host.ts';
import { placesHere } from './connect.ts';

interface DisconnectOptions {
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addDisconnectCommand(program: Command, host: Host): void {
  program
    .command('disconnect')
    .description(
      'Remove a connection: delete its entry from every file it was written to, and revoke its key.',
    )
    .argument('<editor>', 'the name given to `baton connect`')
    .option('--project <id>', 'the project of its key (default: your default project)')
    .option('--dry-run', 'show what would change without changing anything')
    .option('--json', 'print JSON')
    .action((name: string, options: DisconnectOptions) => disconnect(host, name, options));
}

async function disconnect(host: Host, name: string, options: DisconnectOptions): Promise<void> {
  const editor = editors.find((known) => known.name === name) ?? otherClient(name);
  const { dataDir } = host.settings;
  await onThisMachine(host, async (to) => {
    const connection = connectionName(name, await projectOr(to, host, options.project));
    const record = await readConnection(dataDir, connection);
    const places = placesHere();
    const files =
      record?.files ??
      (await findEntries(editor, connection, [
        ...(editor.projectFile === undefined ? [] : [join(places.project, editor.projectFile)]),
        editor.userFile(places),
      ]));
    const keys = await liveKeys(to, host, connection);
    if (!record && files.length === 0 && keys.length === 0) {
      throw connectErrors.connection_unknown({ message: `There is no connection ${connection}.` });
    }
    const edits = (await Promise.all(files.map((file) => planUndo(editor, connection, file)))).filter(
      (edit) => edit !== undefined && edit.before !== edit.after,
    ) as FileEdit[];
    if (options.dryRun) {
      for (const { touched, before, after } of edits) {
        process.stdout.write(`${pc.bold(touched.path)}\n${visible(lineDiff(before ?? '', after ?? ''))}\n`);
      }
      return;
    }
    for (const edit of edits) await applyEdit(edit);
    await revokeKeys(to, host, keys);
    await forgetConnection(dataDir, connection);
    const changed = edits.map(({ touched }) => touched.path);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ connection, files: changed, revoked: keys })}\n`
        : `${pc.green('✔')} ${connection} is disconnected: ${keys.length} key revoked.\n${changed.map((path) => `  ${path}\n`).join('')}`,
    );
  });
}
