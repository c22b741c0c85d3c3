/** The cursor in `<…?cursor=…>; rel="next"`. */
export function nextCursor(link: string | null): string | undefined {
  const target = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return target === undefined
    ? undefined
    : (new URL(target, 'http://any').searchParams.get('cursor') ?? undefined);
}
