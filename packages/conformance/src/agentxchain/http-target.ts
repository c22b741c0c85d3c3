import { tryParse } from '../../../../src/slices/delivery/parse.ts';
import { readCapabilities } from './capabilities.ts';
import { conformanceErrors } from './errors.ts';
import { brokenAnswer, readAnswer, type Target } from './target.ts';

export interface RemoteOptions {
  readonly base: string;
  readonly token: string | undefined;
  readonly timeoutMs: number;
}

/** Throws if the remote cannot state its capabilities. A failure on one fixture is that fixture's error. */
export async function openHttpTarget(options: RemoteOptions): Promise<Target> {
  const base = options.base.replace(/\/+$/, '');
  const { token, timeoutMs } = options;
  const headers = { connection: 'close', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${base}${path}`, {
      ...init,
      headers: { ...headers, ...(init.body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(timeoutMs),
    });

  const response = await ask('/conform/capabilities').catch((cause) => {
    throw conformanceErrors.capabilities_invalid({ message: `${base} does not answer.`, cause });
  });
  const text = await response.text();
  if (response.status !== 200) {
    const message = `${base}/conform/capabilities answered ${response.status}.`;
    throw conformanceErrors.capabilities_invalid({ message });
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
