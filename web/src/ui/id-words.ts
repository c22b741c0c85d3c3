/** A long id or hash by its ends. */
export function shorten(value: string): string {
  return value.length > 17 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value;
}

/** `pkg_4044c976…3b899d`: a prefix says what kind of id it is and stays. */
export function shortId(value: string): string {
  const [, prefix = '', rest = value] = /^([a-z]+_)([0-9a-f]{12,})$/.exec(value) ?? [];
  return prefix + shorten(rest);
}

/** `did:a2p:agent:local:coach` is `coach` to whoever reads it; a foreign one keeps its namespace. */
export function didName(did: string): string {
  const [, namespace, name] = /^did:a2p:\w+:([^:]+):(.+)$/.exec(did) ?? [];
  if (name === undefined) return did;
  return namespace === 'local' ? name : `${namespace}:${name}`;
}

/** A title as it was given, with the ids in it shortened, DIDs as the names they are, and no id of a proposal at its end. */
export function titleWords(title: string): string {
  return title
    .replace(/ \(prop_[0-9a-f]+\)$/, '')
    .replaceAll(/\bdid:a2p:\w+:[\w.-]+:[\w.-]+/g, didName)
    .replaceAll(/\b[a-z]+_[0-9a-f]{12,}\b/g, shortId);
}
