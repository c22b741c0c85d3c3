import { BatonError } from '../../../kernel/error.ts';
import { arrayItems } from '../../../kernel/json/compact.ts';
import { nodeHasher } from '../../../platform/index.ts';
import type { Connection, Host } from '../host.ts';
import { ask, operationNamed } from '../operation.ts';
import type { SyncPage } from './page.ts';
import { readStandardPackage } from './standard-package.ts';

export interface Change {
  readonly type: string;
  readonly ids: Readonly<Record<string, string>>;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  readonly next: number;
}

/** What every server of the protocol can tell about a project. */
export interface StandardReader {
  /** As a line of JSON; undefined if the server does not provide it. */
  project(): Promise<string | undefined>;
  /** Of all packages, oldest first. */
  packageIds(): Promise<string[]>;
  packages(ids: readonly string[]): Promise<SyncPage>;
  /** Lines of JSON, oldest first, so that each has ended when its successor arrives. */
  facts(): Promise<string[]>;
  /** Undefined if the server keeps no list of changes. */
  changes(query: Readonly<Record<string, unknown>>): Promise<ChangesPage | undefined>;
}

const PAGE = 200;

export function createStandardReader(from: Connection, host: Host, project_id: string): StandardReader {
  const get = (name: string, flat: Readonly<Record<string, unknown>>) =>
    from.call(operationNamed(host, name), flat);

  /** All items of a list, newest first, page after page. */
  async function listed(
    name: string,
    flat: Readonly<Record<string, unknown>>,
    limit = PAGE,
  ): Promise<string[]> {
    const items: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { body, headers } = await get(name, { project_id, limit, cursor, ...flat });
      items.push(...arrayItems(body));
      cursor = nextCursor(headers.link);
      pages += 1;
    } while (cursor !== undefined);
    // A server without paging returns as many as requested: there may be more.
    return pages === 1 && items.length >= limit ? listed(name, flat, limit * 10) : items;
  }

  async function readOne(id: string) {
    // A path cannot carry these two.
    const address = id === '.' || id === '..' ? { id } : { package_id: id };
    const name = 'id' in address ? 'packages.find' : 'packages.get';
    try {
      const { body, headers } = await get(name, { ...address, project: project_id, envelope: true });
      return readStandardPackage(nodeHasher, body, headers);
    } catch (error) {
      if (error instanceof BatonError && error.status === 410) return { kind: 'redacted' as const };
      throw error;
    }
  }

  return {
    async project() {
      return (await unlessMissing(get('projects.get', { project_id })))?.body;
    },
    async packageIds() {
      const newestFirst = await listed('packages.list', {});
      return newestFirst.map((text) => (JSON.parse(text) as { package_id: string }).package_id).reverse();
    },
    async packages(ids) {
      const read = await Promise.all(ids.map(async (id) => ({ id, ...(await readOne(id)) })));
      const idsOf = (kind: string) => read.flatMap((one) => (one.kind === kind ? one.id : []));
      return {
        batch: { packages: read.flatMap((one) => (one.kind === 'package' ? one.item : [])) },
        redacted: idsOf('redacted'),
        mismatched: idsOf('mismatched'),
      };
    },
    async facts() {
      const history = await unlessMissing(listed('facts.list', { history: true }));
      if (history) return history.reverse();
      const { active_facts } = await ask(from, host, 'context.orient', { project_id });
      return active_facts.map((fact: unknown) => JSON.stringify(fact));
    },
    changes: (query) =>
      unlessMissing(ask(from, host, 'context.changes', { project_id, limit: PAGE, ...query })),
  };
}

/** `<…?cursor=…>; rel="next"` */
function nextCursor(link: string | undefined): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  return new URL(target, 'http://localhost').searchParams.get('cursor') ?? undefined;
}

/** Undefined if the server has nothing at the address. A project that is missing is no missing address. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  if (!(error instanceof BatonError) || error.code === 'project_not_found') return false;
  return error.status === 404 || error.status === 405 || error.status === 501;
}
