/** RFC 6901. */
export function jsonPointer(path: Iterable<string | number>): string {
  let pointer = '';
  for (const step of path) {
    pointer += `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}
