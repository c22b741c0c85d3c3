/** The typed client of a Baton server: every operation by name, over fetch and server-sent events. */
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
} from './client.ts';
export { BatonRequestError, BatonUnreachableError, overTheLine } from './error.ts';
export { type CallableOperation, operations } from './table.ts';
export type { Arguments, Operations, Result } from './types.ts';
