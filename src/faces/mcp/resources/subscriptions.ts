import { canSeeProject, requireScope } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import { jsonTextOf, type StreamItem } from '../../../spine/operations/handler.ts';
import { boundTo, invocationOf, type McpDeps } from '../call.ts';
import { mcpErrors } from '../errors.ts';
import type { ResourceRef } from './resource-uri.ts';
import { KINDS, readResource, requireResource } from './resources.ts';
import { type Change, isTouched } from './touched.ts';

export interface Subscriptions {
  /**
   * Resolves when nothing that happens from now on will be missed, with false where the resource was subscribed to
   * already; throws where the caller may not read it.
   */
  add(uri: string): Promise<boolean>;
  remove(uri: string): void;
  close(): void;
}

export interface Subscriber {
  readonly now: () => Promise<Principal>;
  readonly updated: (uri: string) => void;
  /** The credential no longer holds, or the feed broke off: nothing more will be told. */
  readonly ended: () => void;
}

const FEED = 'context.events';
const MOST_SUBSCRIPTIONS = 200;
/** However many changes fall into this time, a resource is told of once. */
const COALESCE_MS = 100;

/** What one connection wants to be told of, over one feed for each project. */
export function createSubscriptions(services: McpDeps, subscriber: Subscriber): Subscriptions {
  const wanted = new Map<string, ResourceRef>();
  const feeds = new Map<string, { readonly stop: AbortController; readonly begun: Promise<void> }>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const scopeOf = (ref: ResourceRef) => boundTo(services, KINDS[ref.kind].operation).operation.scope;

  async function begin(principal: Principal, projectId: string, stop: AbortController): Promise<void> {
    const bound = boundTo(services, FEED);
    const input = { project_id: projectId, from: 'now' };
    const items = await services.dispatcher.stream(
      bound,
      invocationOf(services, bound, { principal, input, signal: stop.signal }),
    );
    void pump(projectId, items).catch((error) => {
      if (stop.signal.aborted) return;
      services.log(error, { requestId: services.newRequestId(), operation: 'mcp.subscriptions' });
      end();
    });
  }

  async function pump(projectId: string, items: AsyncIterable<StreamItem>): Promise<void> {
    for await (const item of items) {
      const change = JSON.parse(jsonTextOf(item.data)) as Change;
      for (const [uri, ref] of wanted) {
        if (ref.projectId === projectId && isTouched(ref, change)) changed.add(uri);
      }
      if (changed.size > 0) timer ??= setTimeout(() => void tell(), COALESCE_MS);
    }
  }

  async function tell(): Promise<void> {
    timer = undefined;
    const uris = [...changed];
    changed.clear();
    const principal = await subscriber.now().catch(end);
    if (!principal) return;
    for (const uri of uris) {
      const ref = wanted.get(uri);
      if (ref && canSeeProject(principal, ref.projectId) && grantsScope(principal.scopes, scopeOf(ref)))
        subscriber.updated(uri);
      else remove(uri);
    }
  }

  function remove(uri: string): void {
    const ref = wanted.get(uri);
    wanted.delete(uri);
    changed.delete(uri);
    if (!ref || [...wanted.values()].some(({ projectId }) => projectId === ref.projectId)) return;
    feeds.get(ref.projectId)?.stop.abort();
    feeds.delete(ref.projectId);
  }

  function close(): void {
    closed = true;
    clearTimeout(timer);
    for (const uri of [...wanted.keys()]) remove(uri);
  }

  function end(): void {
    if (closed) return;
    close();
    subscriber.ended();
  }

  return {
    async add(uri) {
      const ref = requireResource(uri);
      if (wanted.has(uri)) {
        await feeds.get(ref.projectId)?.begun;
        return false;
      }
      if (wanted.size >= MOST_SUBSCRIPTIONS) throw mcpErrors.too_many_subscriptions();
      const principal = await subscriber.now();
      requireScope(principal, scopeOf(ref));
      // A package must be there to be followed; of the others the feed itself asks for the project.
      if (ref.kind === 'package') await readResource(services, principal, uri, new AbortController().signal);
      if (closed) throw mcpErrors.mcp_session_ended();
      wanted.set(uri, ref);
      let feed = feeds.get(ref.projectId);
      if (!feed) {
        const stop = new AbortController();
        feed = { stop, begun: begin(principal, ref.projectId, stop) };
        feeds.set(ref.projectId, feed);
      }
      await feed.begun.catch((error) => {
        remove(uri);
        throw error;
      });
      return true;
    },
    remove,
    close,
  };
}
