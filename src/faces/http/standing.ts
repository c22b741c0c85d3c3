import type { Micros } from '../../kernel/clock.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { Operation } from '../../spine/operations/define.ts';
import type { StreamItem } from '../../spine/operations/handler.ts';
import type { HttpRequest } from './http-request.ts';
import type { RouteDeps } from './routes.ts';

/** As long as a key counts that was read before: a credential that has ended does nothing more after it. */
const GOOD_FOR: Micros = 1_000_000;

/** Who makes a request, now: what was found out when it came is asked again once it is a second old. */
export type Standing = () => Promise<Principal>;

export async function standingOf(
  request: HttpRequest,
  operation: Operation,
  deps: Pick<RouteDeps, 'authenticate' | 'anonymous' | 'clock'>,
): Promise<{ readonly principal: Principal; readonly standing: Standing }> {
  if (operation.scope === 'open') return { principal: deps.anonymous, standing: async () => deps.anonymous };
  let principal = await deps.authenticate(request, operation);
  let asked = deps.clock.now();
  const standing: Standing = async () => {
    // A signature is good for its request and for nothing else, body included.
    if (principal.credential.kind === 'signature' || deps.clock.now() - asked < GOOD_FOR) return principal;
    principal = await deps.authenticate(request, operation, 'again');
    asked = deps.clock.now();
    return principal;
  };
  return { principal, standing };
}

/** Items for as long as the credential stands that asked for them: the first that comes after its end is not told. */
export async function* whileStanding(
  items: AsyncIterable<StreamItem>,
  standing: Standing,
  ended: () => void,
): AsyncGenerator<StreamItem> {
  try {
    for await (const item of items) {
      if (!(await stands(standing))) return;
      yield item;
    }
  } finally {
    ended();
  }
}

async function stands(standing: Standing): Promise<boolean> {
  try {
    await standing();
    return true;
  } catch {
    return false;
  }
}
