/** Where a connection is kept. By itself, since a hook loads it at every call and nothing else of the command line. */
import { join } from 'node:path';

export function connectionName(editor: string, project: string): string {
  return `${editor}@${project}`;
}

export function connectionsFolder(dataDir: string): string {
  return join(dataDir, 'connections');
}

export function connectionFile(dataDir: string, name: string): string {
  return join(connectionsFolder(dataDir), `${encodeURIComponent(name)}.json`);
}
