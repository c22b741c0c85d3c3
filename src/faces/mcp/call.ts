import type { BatonError } from '../../kernel/error.ts';
import { inline } from '../../kernel/quoted.ts';
import { visibleJson } from '../../kernel/visible-text.ts';
import { asBatonError, type Dispatcher, type Invocation } from '../../spine/dispatch/dispatch.ts';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import { partsFromFlat } from '../../spine/dispatch/parse.ts';
import type { Bound, Registry } from '../../spine/dispatch/registry.ts';
import type { Authenticate } from '../../spine/identity/authenticate.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { isDecision } from '../../spine/operations/decides.ts';
import { listOf, toolsOf } from './tools.ts';

/** What an operation answered, before the agent reads it. */
export interface AgentResponse {
  readonly operation: string;
  readonly input: FlatInput;
  readonly principal: Principal;
  readonly text: string;
}

export interface McpDeps {
  /** Asked for when it is needed: MCP is itself an operation of the table. */
  readonly registry: () => Registry;
  readonly dispatcher: Dispatcher;
  readonly authenticate: Authenticate;
  readonly version: string;
  readonly newRequestId: () => string;
  /** Adds what only the process beside the agent can know; answers the text as the agent gets it. */
  readonly annotate?: (response: AgentResponse) => Promise<string>;
  readonly log: (error: unknown, context: { requestId: string; operation: string }) => void;
}

/** For a server in the process in which the product already runs. */
export function here(services: McpDeps) {
  return {
    version: services.version,
    list: () => listOf(toolsOf(services.registry()).values()),
    services: () => services,
  };
}

export type FlatInput = Readonly<Record<string, unknown>>;

/** One call of an agent, from its arguments to the text that it reads. */
export async function callForAgent(
  deps: McpDeps,
  bound: Bound,
  call: { readonly principal: Principal; readonly input: FlatInput; readonly signal: AbortSignal },
): Promise<string> {
  const { principal, input } = call;
  if (principal.actor.type === 'human' && isDecision(bound.operation, input)) {
    throw dispatchErrors.agent_session();
  }
  const { body } = await deps.dispatcher.call(bound, invocationOf(deps, bound, call));
  // Texts of ours come rendered; in JSON, others' words stand in strings, which still could hide something.
  const text = visibleJson(body);
  const response = { operation: bound.operation.name, input, principal, text };
  return deps.annotate ? deps.annotate(response) : text;
}

export function boundTo(deps: McpDeps, operation: string): Bound {
  const bound = deps.registry().get(operation);
  if (!bound) throw new Error(`no operation is called ${operation}`);
  return bound;
}

export function invocationOf(
  deps: McpDeps,
  bound: Bound,
  { principal, input, signal }: { principal: Principal; input: FlatInput; signal: AbortSignal },
): Invocation {
  return {
    principal,
    parts: partsFromFlat(bound.operation, input),
    requestId: deps.newRequestId(),
    signal,
  };
}

/** What a call threw, for its caller; what is our own fault goes to the log too. */
export function refusalOf(deps: McpDeps, thrown: unknown, operation: string): BatonError {
  const error = asBatonError(thrown);
  if (error.status >= 500) deps.log(thrown, { requestId: deps.newRequestId(), operation });
  return error;
}

const MOST_OF_MESSAGE = 1000;

/** A message may repeat what somebody wrote. */
export function sentenceOf(error: BatonError): string {
  const where = error.pointer ? ` (at ${inline(error.pointer)})` : '';
  return `${error.code}: ${inline(error.message, MOST_OF_MESSAGE)}${where} ${inline(error.next, MOST_OF_MESSAGE)}`;
}
