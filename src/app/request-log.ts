import type { Metrics } from '../faces/http/metrics.ts';
import type { Log } from './log.ts';

/** Routes by which somebody gets or ends a session of their own, in words. */
const SIGN_INS: ReadonlyMap<string, string> = new Map([
  ['POST /v1/dashboard/links', 'sign-in link'],
  ['POST /v1/dashboard/session', 'sign-in by link'],
  ['DELETE /v1/dashboard/session', 'sign-out'],
  ['POST /v1/login', 'sign-in by passphrase'],
  ['POST /v1/passkeys/presence', 'sign-in by passkey'],
]);

/**
 * A line for every sign-in, and if it is asked for, one for every request: the route, never the address with its ids, and no
 * header.
 */
export function logRequests(metrics: Metrics, log: Log, everyRequest: boolean): Metrics {
  return {
    ...metrics,
    observe(operation, status, seconds, about) {
      metrics.observe(operation, status, seconds, about);
      const signIn = SIGN_INS.get(operation);
      if (!everyRequest && signIn === undefined) return;
      const fields = {
        request_id: about?.requestId,
        operation,
        status,
        ms: Math.round(seconds * 10_000) / 10,
      };
      if (signIn === undefined) log.info(fields, 'request');
      else if (status < 400) log.info(fields, signIn);
      else log.warn(fields, `${signIn} refused`);
    },
  };
}
