import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { keyHandlingOf, type Operation } from '../../spine/operations/define.ts';

/**
 * What a client may assume of a call, from its declaration. Everything stays within Baton, except what the relay sends
 * on; what is appended or replaced keeps its history, so that only erasing and removing destroy.
 */
export function annotationsOf(operations: readonly Operation[]): ToolAnnotations {
  const readOnly = operations.every(readsOnly);
  return {
    readOnlyHint: readOnly,
    ...(!readOnly && {
      destructiveHint: operations.some(destroys),
      idempotentHint: operations.every((operation) => readsOnly(operation) || isRepeatable(operation)),
    }),
    openWorldHint: operations.some(reachesOut),
  };
}

function readsOnly(operation: Operation): boolean {
  const unit = operation.kind === 'call' ? operation.unit : undefined;
  return operation.mcp?.reads === true || unit === 'read' || keyHandlingOf(operation) === 'ignored';
}

function destroys(operation: Operation): boolean {
  const erases = operation.kind === 'call' && operation.idempotency === 'erases';
  return erases || operation.decides !== undefined || operation.http?.method === 'DELETE';
}

function isRepeatable(operation: Operation): boolean {
  const { method } = operation.http ?? {};
  const repeatable =
    operation.kind === 'call' && ['repeatable', 'erases'].includes(operation.idempotency ?? '');
  return repeatable || method === 'PUT' || method === 'DELETE';
}

function reachesOut({ scope }: Operation): boolean {
  return scope === 'relay:send' || scope === 'carp:execute';
}
