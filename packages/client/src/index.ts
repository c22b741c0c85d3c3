/** The typed client of a Baton server: every operation by name, over fetch and server-sent events. */
export {
  type Arguments,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Result,
} from './client.ts';
export { BatonRequestError } from './error.ts';
export { type Operations, operations } from './operations.ts';
