import { decodedPath } from '../../kernel/decoded-path.ts';
import type { Bound, Registry } from '../../spine/dispatch/registry.ts';
import type { HttpFace } from '../../spine/operations/define.ts';

export interface Route {
  readonly bound: Bound;
  readonly method: HttpFace['method'];
  readonly path: string;
}

/** Every operation with an HTTP face; a path that continues another's goes first. */
export function routesOf(registry: Registry): Route[] {
  return [...registry.values()]
    .flatMap((bound) => (bound.operation.http ? [{ bound, ...bound.operation.http }] : []))
    .sort((a, b) => specificity(b.path) - specificity(a.path));
}

/** `/v1/traces/stream` before `/v1/traces/{session_id}`: literal segments weigh more. */
function specificity(path: string): number {
  return path
    .split('/')
    .reduce((sum, part) => sum * 3 + (part.includes('*}') ? 0 : part.startsWith('{') ? 1 : 2), 1);
}

export interface FoundRoute {
  readonly bound: Bound;
  /** As the metrics name it. */
  readonly label: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Looks up plain paths without the web's router. A segment that cannot be decoded is found by none. */
export function createRouteTable(
  registry: Registry,
): (method: string, path: string) => FoundRoute | undefined {
  const routes = routesOf(registry).map((route) => ({
    ...route,
    pattern: pathPattern(route.path),
    label: routerPath(route.path),
    segments: route.path.includes('*}') ? undefined : segmentsOf(route.path),
  }));
  const byShape = new Map<string, typeof routes>();

  /** Few enough to try one after another. */
  const candidates = (method: string, segments: number) => {
    const shape = `${method} ${segments}`;
    let some = byShape.get(shape);
    if (some === undefined) {
      some = routes.filter(
        (route) =>
          (route.method === method || route.method === 'ANY') &&
          (route.segments === undefined || route.segments === segments),
      );
      if (segments <= MOST_SEGMENTS) byShape.set(shape, some);
    }
    return some;
  };

  return (method, path) => {
    for (const { bound, pattern, label } of candidates(method, segmentsOf(path))) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const params = decoded(match.groups ?? {});
      return params && { bound, label, params };
    }
    return undefined;
  };
}

/** Keeps the cache small, whatever paths are requested. */
const MOST_SEGMENTS = 16;

function segmentsOf(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const name in groups) {
    const given = groups[name] as string;
    const read = given.includes('%') ? decodedPath(given) : given;
    if (read === undefined) return undefined;
    params[name] = read;
  }
  return params;
}

/** The two ways to look for `/v1/inbox/{id}` and `/a2a/{agent}/{rest*}`: as the router spells them, and as a pattern. */

/** `:id`, and `:rest{.+}` for the rest of the path. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\*\}$/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');
}

/** Each name is a group. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(
    `^${escaped.replace(/\{(\w+)\*\}$/, '(?<$1>.+)').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
  );
}
