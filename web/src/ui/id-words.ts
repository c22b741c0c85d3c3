/** A long id or hash by its ends. */
export function shorten(value: string): string {
  return value.length > 17 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value;
}

/** `pkg_4044c976…3b899d`: a prefix says what kind of id it is and stays. */
export function shortId(value: string): string {
  const [, prefix = '', rest = value] = /^([a-z]+_)([0-9a-f]{12,})$/.exec(value) ?? [];
  return prefix + shorten(rest);
}

/** A title as it was given, with the ids in it shortened. */
export function titleWords(title: string): string {
  return title.replaceAll(/\b[a-z]+_[0-9a-f]{12,}\b/g, shortId);
}
