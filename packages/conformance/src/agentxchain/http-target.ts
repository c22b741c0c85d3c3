import { tryParse } from '../../../../src/slices/delivery/parse.ts';
import { readCapabilities } from './capabilities.ts';
import { conformanceErrors } from './errors.ts';
import { brokenAnswer, readAnswer, type Target } from './target.ts';

export interface RemoteOptions {
  readonly base: string;
  readonly token?: string;
  readonly timeoutMs: number;
}

/** Throws if the remote cannot state its capabilities. A failure on one fixture is that fixture's error. */
export async function openHttpTarget(options: RemoteOptions): Promise<Target> {
  const base = options.base.replace(/\/+$/, '');
  const headers = {
    connection: 'close',
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${base}${path}`, {
      ...init,
      headers: { ...headers, ...(init.body ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(options.timeoutMs),
    });

  const response = await ask('/conform/capabilities').catch((cause) => {
    throw conformanceErrors.capabilities_invalid({ message: `${base} does not answer.`, cause });
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw conformanceErrors.capabilities_invalid({
      message: `${base}/conform/capabilities answered ${response.status}.`,
    });
  }
  return {
    capabilities: readCapabilities(tryParse(text), 'http-fixture-v1'),
    async execute(fixture) {
      try {
        const answered = await ask('/conform/execute', { method: 'POST', body: JSON.stringify(fixture) });
        const body = await answered.text();
        return answered.status === 200
          ? readAnswer(body)
          : brokenAnswer(`The remote answered ${answered.status}.`);
      } catch (error) {
        return brokenAnswer(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
