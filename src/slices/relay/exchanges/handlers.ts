import { requireVoice } from '../../../spine/identity/voice.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { type PlainRequest, pathOf } from '../../../spine/operations/plain.ts';
import type { Audit } from './audit.ts';
import { type A2aEndpoint, WELL_KNOWN } from './endpoint.ts';
import type { exchangeOperations } from './operations.ts';
import type { Operator } from './operator.ts';
import type { ReadStatus } from './status.ts';

export interface ExchangeHandlerDeps {
  readonly endpoint: A2aEndpoint;
  readonly operator: Operator;
  readonly audit: Audit;
  readonly readStatus: ReadStatus;
}

export function createExchangeHandlers({
  endpoint,
  operator,
  audit,
  readStatus,
}: ExchangeHandlerDeps): Handlers<typeof exchangeOperations> {
  return {
    'a2a.agent': (request) => endpoint.handle({ request, agent: request.params.agent ?? '', rest: '' }),
    'a2a.agent.rest': (request) =>
      endpoint.handle({ request, agent: request.params.agent ?? '', rest: restOf(request) }),
    'a2a.card': (request) => endpoint.handle({ request, agent: WELL_KNOWN, rest: cardFile(request) }),
    'a2a.card.legacy': (request) => endpoint.handle({ request, agent: WELL_KNOWN, rest: cardFile(request) }),
    'relay.status': async (reader, { principal }) => ({
      body: await readStatus(reader, principal.defaultProject),
    }),
    'relay.gate': async ({ principal, input: { body } }) => {
      await audit.gate(principal, body);
      return { body: null };
    },
    'relay.send': async ({ principal, input: { body }, signal }) => ({
      body: await operator.send(principal, body, signal),
    }),
    'relay.stream': async ({ principal, input: { query }, signal }) => {
      // Before the stream begins: afterwards no status can say it.
      if (query.as !== undefined) requireVoice(principal, query.as, '/as');
      return operator.stream(principal, query, signal);
    },
  };
}

/** Still encoded, as it goes on to the peer: `/a2a/{agent}/{rest}`, with or without a slash at its end. */
function restOf({ target }: PlainRequest): string {
  return pathOf(target).replace(/\/+$/, '').split('/').slice(3).join('/');
}

function cardFile({ target }: PlainRequest): string {
  return pathOf(target).split('/').at(-1) ?? '';
}
