import type { BatonError } from '../../kernel/error.ts';
import { asBatonError, type Dispatcher, type Invocation } from '../../spine/dispatch/dispatch.ts';
import { partsFromFlat } from '../../spine/dispatch/parse.ts';
import type { Bound, Registry } from '../../spine/dispatch/registry.ts';
import type { Authenticate } from '../../spine/identity/authenticate.ts';
import type { Principal } from '../../spine/identity/principal.ts';

/** What an operation has told an agent. */
export interface Told {
  readonly operation: string;
  readonly input: FlatInput;
  readonly principal: Principal;
  readonly text: string;
}

export interface McpServices {
  /** Asked for when it is needed: MCP is itself an operation of the table. */
  readonly registry: () => Registry;
  readonly dispatcher: Dispatcher;
  readonly authenticate: Authenticate;
  readonly version: string;
  readonly newRequestId: () => string;
  /** Adds what only the process beside the agent can know; answers the text as the agent gets it. */
  readonly annotate?: (told: Told) => Promise<string>;
  readonly log: (error: unknown, context: { requestId: string; operation: string }) => void;
}

export type FlatInput = Readonly<Record<string, unknown>>;

/** One call of an agent, from its arguments to the text that it reads. */
export async function tellAgent(
  services: McpServices,
  bound: Bound,
  given: { readonly principal: Principal; readonly input: FlatInput; readonly signal: AbortSignal },
): Promise<string> {
  const { body } = await services.dispatcher.call(bound, invocationOf(services, bound, given));
  const { principal, input } = given;
  const told = { operation: bound.operation.name, input, principal, text: body };
  return services.annotate ? services.annotate(told) : body;
}

export function boundTo(services: McpServices, operation: string): Bound {
  const bound = services.registry().get(operation);
  if (!bound) throw new Error(`no operation is called ${operation}`);
  return bound;
}

export function invocationOf(
  services: McpServices,
  bound: Bound,
  { principal, input, signal }: { principal: Principal; input: FlatInput; signal: AbortSignal },
): Invocation {
  return {
    principal,
    parts: partsFromFlat(bound.operation, input),
    requestId: services.newRequestId(),
    signal,
  };
}

/** What a call threw, for its caller; what is our own fault goes to the log too. */
export function refusalOf(services: McpServices, thrown: unknown, operation: string): BatonError {
  const error = asBatonError(thrown);
  if (error.status >= 500) services.log(thrown, { requestId: services.newRequestId(), operation });
  return error;
}

export function sentenceOf(error: BatonError): string {
  const where = error.pointer ? ` (at ${error.pointer})` : '';
  return `${error.code}: ${error.message}${where} ${error.next}`;
}
