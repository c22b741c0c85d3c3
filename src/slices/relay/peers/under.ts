/** `path` below an address, whether or not the address ends with a slash. */
export function under(base: string, path: string): URL {
  const url = new URL(base);
  const [plain, query] = path.split('?');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${plain}`;
  if (query) url.search = query;
  return url;
}
