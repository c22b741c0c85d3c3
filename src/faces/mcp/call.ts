import type { BatonError } from '../../kernel/error.ts';
import { visibleJson } from '../../kernel/visible-text.ts';
import { asBatonError, type Dispatcher, type Invocation } from '../../spine/dispatch/dispatch.ts';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import { partsFromFlat } from '../../spine/dispatch/parse.ts';
import type { Bound, Registry } from '../../spine/dispatch/registry.ts';
import type { Authenticate } from '../../spine/identity/authenticate.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { isDecision } from '../../spine/operations/decides.ts';
import { FILES_FIELD } from './actions.ts';
import { agentSentence } from './agent-words.ts';
import { type SessionFor, withSession } from './connection-session.ts';
import { mcpErrors } from './errors.ts';
import { agentText } from './result.ts';
import { type Listing, toolsOf } from './tools.ts';

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
  /** Reads the files that a call names, where this process stands beside them. */
  readonly readFiles?: (call: FileCall) => Promise<FlatInput>;
  readonly sessionFor?: SessionFor;
  readonly endSession?: (principal: Principal, sessionId: string) => Promise<void>;
  /** Which tools are listed; only the core unless it says otherwise. */
  readonly listing?: Listing;
  readonly log: (error: unknown, context: { requestId: string; operation: string }) => void;
}

/** For a server in the process in which the product already runs. */
export function here(services: McpDeps, listing = services.listing ?? 'core') {
  return {
    version: services.version,
    list: () => toolsOf(services.registry()).list(listing),
    services: () => services,
  };
}

export type FlatInput = Readonly<Record<string, unknown>>;

export interface FileCall {
  readonly operation: string;
  readonly input: FlatInput;
  readonly principal: Principal;
}

export interface AgentCall {
  readonly principal: Principal;
  readonly input: FlatInput;
  readonly signal: AbortSignal;
  /** What tells this client's connection from others with the same credential. */
  readonly connection?: string | undefined;
  /** The body alone: a resource is what stands at its address. */
  readonly asResource?: true;
}

/** One call of an agent, from its arguments to the text that it reads. */
export async function callForAgent(deps: McpDeps, bound: Bound, call: AgentCall): Promise<string> {
  const { principal, connection } = call;
  const operation = bound.operation.name;
  const own = await withSession(deps.sessionFor, { operation, input: call.input, principal, connection });
  const input = await withFiles(deps, { operation, input: own, principal });
  if (principal.actor.type === 'human' && isDecision(bound.operation, input)) {
    throw dispatchErrors.agent_session();
  }
  const answer = await deps.dispatcher.call(bound, invocationOf(deps, bound, { ...call, input }));
  // Texts of ours come rendered; in JSON, others' words stand in strings, which still could hide something.
  const text = call.asResource ? visibleJson(answer.body) : agentText(answer);
  return deps.annotate ? deps.annotate({ operation, input, principal, text }) : text;
}

async function withFiles({ readFiles }: McpDeps, call: FileCall): Promise<FlatInput> {
  if (readFiles) return readFiles(call);
  if (call.input[FILES_FIELD] === undefined) return call.input;
  throw mcpErrors.files_elsewhere();
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

/** For what is no tool call: resources and streams. */
export const sentenceOf = (error: BatonError): string => agentSentence(error);
