import { tryParse } from '../parse.ts';
import { envelope, type HookCall } from './envelope.ts';
import type { Sighting } from './process-hook.ts';

export async function callHttpHook(call: HookCall): Promise<Sighting> {
  const { hook } = call;
  const headers = resolveHeaders(hook.headers ?? {}, { ...process.env, ...hook.env });
  if ('unresolved' in headers) return failure(`Header variable \${${headers.unresolved}} is not set.`);
  const signal = AbortSignal.timeout(hook.timeout_ms);
  try {
    const response = await fetch(hook.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers.resolved },
      body: envelope(call),
      redirect: 'manual',
      signal,
    });
    const body = await response.text();
    if (!response.ok) return failure(`The hook answered ${response.status}.`);
    return { exitCode: 0, timedOut: false, failed: false, output: tryParse(body), stderr: '' };
  } catch (error) {
    if (signal.aborted) return { ...failure('The hook did not answer in time.'), timedOut: true };
    return failure(error instanceof Error ? `${error.message}: ${String(error.cause ?? '')}` : String(error));
  }
}

/** Secrets stand in the environment, never in the config: `Bearer ${TOKEN}`. */
export function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): { readonly resolved: Record<string, string> } | { readonly unresolved: string } {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    let missing: string | undefined;
    resolved[name] = value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_match, key: string) => {
      if (env[key] === undefined) missing = key;
      return env[key] ?? '';
    });
    if (missing !== undefined) return { unresolved: missing };
  }
  return { resolved };
}

function failure(stderr: string): Sighting {
  return { exitCode: 1, timedOut: false, failed: true, output: undefined, stderr };
}
