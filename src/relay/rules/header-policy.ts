const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

/** Ours, or about the way to us: nothing of it is the peer's business. */
const KEPT_BACK = new Set([
  'x-baton-key',
  'cookie',
  'x-csrf-token',
  'origin',
  'referer',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'accept-encoding',
]);

/** What goes on to the peer: all that its caller said to it, `Authorization` and `A2A-*` untouched. */
export function headersForPeer(headers: Headers): Record<string, string> {
  const named = connectionHeaders(headers.get('connection'));
  const passed: Record<string, string> = {};
  headers.forEach((value, name) => {
    const drop =
      HOP_BY_HOP.has(name) || KEPT_BACK.has(name) || named.has(name) || name.startsWith('sec-fetch-');
    if (!drop) passed[name] = value;
  });
  return passed;
}

/** What goes back to the caller. Lengths and codings are of the bytes, which are passed on as they are. */
export function headersForCaller(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): [string, string][] {
  const named = connectionHeaders(one(headers.connection));
  const passed: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (value === undefined || (lower !== 'content-length' && HOP_BY_HOP.has(lower)) || named.has(lower))
      continue;
    if (lower === 'set-cookie') continue;
    for (const item of typeof value === 'string' ? [value] : value) passed.push([lower, item]);
  }
  return passed;
}

function one(value: string | readonly string[] | undefined): string | null {
  return value === undefined ? null : typeof value === 'string' ? value : value.join(',');
}

function connectionHeaders(value: string | null): ReadonlySet<string> {
  return new Set(
    (value ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
}
