import type { Operation, OperationTable } from '../operations/define.ts';
import type { BeforeCall, Call, Handlers } from '../operations/handler.ts';

/** An operation with its handler. The handler's type was checked by `bind`; here only the kind tells how to call it. */
export interface Bound {
  readonly operation: Operation;
  readonly handler: (first: unknown, call?: Call) => Promise<unknown>;
  readonly before?: BeforeCall | undefined;
}

export type Registry = ReadonlyMap<string, Bound>;

export function bind<T extends OperationTable>(
  table: T,
  handlers: Handlers<T>,
  before?: BeforeCall,
): Bound[] {
  return Object.values(table).map((operation) => ({
    operation,
    handler: handlers[operation.name as keyof T] as Bound['handler'],
    before,
  }));
}

export function createRegistry(...groups: readonly (readonly Bound[])[]): Registry {
  const registry = new Map<string, Bound>();
  for (const bound of groups.flat()) {
    if (registry.has(bound.operation.name)) {
      throw new Error(`two operations are called ${bound.operation.name}`);
    }
    registry.set(bound.operation.name, bound);
  }
  return registry;
}
