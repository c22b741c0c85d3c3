/** Which connection a hook speaks for: the one of the repository that a person bound. */
import { bindingOf, includesRoot, type ProjectFile } from '../../faces/cli/connect/binding.ts';
import type { ConnectionRecord } from '../../faces/cli/connect/connection-record.ts';

export type HookConnection = ConnectionRecord;

export interface Workplace {
  readonly repository: ProjectFile;
  readonly connection: HookConnection;
}

/**
 * The first of the folders that is bound decides. Undefined where hooks have nothing to do: no connection, switched off,
 * or a repository that nobody has bound. A cloned repository must not choose whose ledger it writes to.
 */
export function findWorkplace(
  dataDir: string,
  client: string,
  folders: readonly string[],
): Workplace | undefined {
  for (const folder of folders) {
    const binding = bindingOf(dataDir, client, folder);
    if (binding.state !== 'bound') continue;
    const { record, root, project } = binding;
    const off = record.hooks?.enabled === false || includesRoot(record.offIn ?? [], root);
    return off ? undefined : { repository: { root, project }, connection: record };
  }
  return undefined;
}
