import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonDocument } from '../../../kernel/json/reader.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { governanceErrors } from '../errors.ts';
import { executeRequest } from '../execution/execute.ts';
import type { GovernanceDeps } from '../ports.ts';
import { askPermission } from './ask-permission.ts';
import { askerOf } from './envelope.ts';
import type { permissionOperations } from './operations.ts';

export function createPermissionHandlers(deps: GovernanceDeps): Handlers<typeof permissionOperations> {
  return {
    'carp.may': async ({ input, principal, document, signal }) => ({
      body: await askPermission(deps, principal, input.body, parametersOf(document), signal),
    }),

    'carp.offers': async ({ input, principal }) => {
      const { risk_tier, context_hints, required_capabilities } = input.body;
      const asker = await askerOf(deps, principal, input.body, input.body.goal);
      const task = {
        ...(risk_tier && { risk_tier }),
        ...(context_hints && { context_hints }),
        ...(required_capabilities && { required_capabilities }),
      };
      return { body: await asker.resolve(task) };
    },

    'carp.perform': async ({ input, principal, document }) => {
      const { action, idempotency_key: key } = input.body;
      const asker = await askerOf(deps, principal, input.body, `Runs ${action}`);
      const resolution = await asker.resolve();
      const known = [...resolution.allowed_actions, ...resolution.denied_actions];
      if (!known.some(({ action_id }) => action_id === action)) {
        throw governanceErrors.action_not_found({ pointer: '/action' });
      }
      const parameters = parametersOf(document);
      const request = {
        ...asker.envelope('execute'),
        execution: {
          resolution_id: resolution.resolution_id,
          action_id: action,
          parameters: toPlain(parameters) as Record<string, unknown>,
          ...(key !== undefined && { idempotency_key: key }),
        },
      };
      const { status, body, retryAfter } = await executeRequest(deps, principal, { request, parameters });
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
      return { status, body, headers };
    },
  };
}

/** As they were written, for hashing and for people. */
function parametersOf(document: JsonDocument | undefined): JsonObject {
  const value = document?.value;
  const parameters = isJsonObject(value) ? value.parameters : undefined;
  return isJsonObject(parameters) ? parameters : {};
}
