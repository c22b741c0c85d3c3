import { defineErrors } from '../../kernel/error.ts';

/** What any operation may answer, before or around its handler. */
export const dispatchErrors = defineErrors({
  invalid_input: {
    status: 400,
    message: 'The input does not fit the operation.',
    next: 'Correct the field that `pointer` names; the API reference lists what it takes.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This idempotency key was used with another request.',
    next: 'Send a new key for a new request, or exactly the first request to get its answer again.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this idempotency key is still running.',
    next: 'Ask again in a moment; the same key will give its answer.',
    retryable: true,
  },
  idempotency_outcome_unknown: {
    status: 409,
    message: 'The first request with this idempotency key broke off; whether it took effect is not known.',
    next: 'Look whether it took effect. To run it again all the same, send a new key.',
  },
  idempotency_refused: {
    status: 400,
    message:
      'This operation takes no idempotency key, because its answer is not kept and cannot be replayed.',
    next: 'Send the request without the Idempotency-Key header. If an earlier attempt may have gone through, look for its effect first.',
  },
  route_not_found: {
    status: 404,
    message: 'There is nothing at this path.',
    next: 'See /openapi.json for the paths that exist.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not take this method.',
    next: 'Use one of the methods in the Allow header.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be JSON.',
    next: 'Send `Content-Type: application/json`.',
  },
  host_refused: {
    status: 403,
    message: 'The Host header names another server.',
    next: 'Use the address the server prints at start, or allow this host with `--allowed-host`.',
  },
  origin_refused: {
    status: 403,
    message: 'Requests from other web pages are refused.',
    next: 'Open the dashboard at the address the server prints at start.',
  },
  agent_session: {
    status: 403,
    message: 'This is a person’s decision, and it comes from an agent’s session with a person’s credential.',
    next: 'Have the person decide in the dashboard, or in a terminal of their own. An agent uses a key of its own, made with `baton keys create`.',
  },
  shutting_down: {
    status: 503,
    message: 'The server is stopping.',
    next: 'Retry when it is up again.',
    retryable: true,
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side; nothing was written.',
    next: 'Look for `request_id` in the server log, and report it if it happens again.',
  },
});
