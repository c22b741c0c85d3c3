import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';
import { type SyncPage, type SyncRequest, undefinedIfExpired, WAIT_SECONDS } from './page.ts';

/** From a server like ours, which prepares each page itself, with everything that stands in a project. */
export async function* ownPages(
  from: Connection,
  host: Host,
  { projectId: project_id, watch, ...begin }: SyncRequest,
): AsyncGenerator<SyncPage> {
  const wait = watch ? WAIT_SECONDS : 0;
  let { cursor } = begin;
  for (;;) {
    const page = await ask(from, host, 'transfer.sync', { project_id, cursor, wait }).catch(
      undefinedIfExpired,
    );
    if (page) yield page;
    cursor = page?.cursor;
    if (page && !page.more && !watch) return;
  }
}
