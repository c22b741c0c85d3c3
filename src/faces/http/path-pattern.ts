/** The two ways to look for `/v1/inbox/{id}` and `/a2a/{agent}/{rest*}`: as the router spells them, and as a pattern. */

/** `:id`, and `:rest{.+}` for what takes the rest of the path. */
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
