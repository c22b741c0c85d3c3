import { defineErrors } from '../../kernel/error.ts';

export const relayErrors = defineErrors({
  invalid_session_reference: {
    status: 400,
    message: 'No session id can be derived from this reference.',
    next: 'Use github:owner/repo#1, gitlab:group/project#1, slack:TEAM/CHANNEL:THREAD_TS, linear:workspace:TEAM-1 or channel:AB45.',
  },
  invalid_session_cursor: {
    status: 400,
    message: 'This cursor is not valid.',
    next: 'Use `next` of the page before, or omit the cursor to start over.',
  },
  settings_unreadable: {
    status: 500,
    message: 'The relay settings in relay.json cannot be read.',
    next: 'Correct relay.json in the data directory: one JSON object of names and values.',
  },
  grpc_unavailable: {
    status: 500,
    message: 'The relay cannot listen to gRPC.',
    next: 'Set BATON_RELAY_GRPC_PORT to a free port, or to nothing to do without gRPC.',
  },
  peer_not_found: {
    status: 404,
    message: 'No peer of this name is registered.',
    next: 'List the peers with `baton relay peers`, or register one with POST /v1/relay/peers.',
  },
  peer_exists: {
    status: 409,
    message: 'A peer of this name is registered with another address.',
    next: 'Remove it first, or choose another name.',
  },
  peer_open_refused: {
    status: 403,
    message: 'Only a server bound to loopback may accept callers without a credential.',
    next: 'Register the peer with access `key`, or bind to 127.0.0.1.',
  },
  peer_address_refused: {
    status: 403,
    message: 'The address is private or reserved, and was not allowed.',
    next: 'Use a public address, or let the operator allow this host.',
  },
  peer_credential_unfit: {
    status: 400,
    message: 'The certificate or its key cannot be used.',
    next: 'Give PEM text: a certificate and the unencrypted key that belongs to it.',
  },
  credential_key_unreadable: {
    status: 500,
    message: 'The key that seals credentials towards agents is not 32 bytes in base64.',
    next: 'Correct BATON_RELAY_CREDENTIAL_KEY, or restore relay-credentials.key in the data directory.',
  },
  card_not_readable: {
    status: 502,
    message: 'No agent card can be read at this address.',
    next: 'Give the address that the agent has: its card is below it, at .well-known/agent-card.json.',
  },
  card_outdated: {
    status: 409,
    message: 'The agent shows another card by now, or the question was decided.',
    next: 'Look at the newest item of the agent in the inbox.',
  },
  verb_denied: {
    status: 403,
    message: 'The gate denied this call.',
    next: 'Names and ids are letters, digits and . _ : - only; see `details`.',
  },
  task_not_known: {
    status: 404,
    message: 'No peer is known to own this task.',
    next: 'List the known tasks with `baton relay tasks`.',
  },
  exchange_refused: {
    status: 409,
    message: 'The relay or the peer refused the message.',
    next: 'See `details.error` for the A2A error.',
  },
  exchange_failed: {
    status: 502,
    message: 'The exchange with the peer failed.',
    next: 'See `details` for the A2A error; `baton relay view` shows the trace.',
  },
  push_unknown: {
    status: 404,
    message: 'No client waits for notifications at this address.',
    next: 'Stop calling it: its configuration was deleted or has expired.',
  },
  push_token_wrong: {
    status: 403,
    message: 'The notification does not carry the token of its configuration.',
    next: 'Send the token of the push notification configuration as X-A2A-Notification-Token.',
  },
  push_unreadable: {
    status: 400,
    message: 'The notification is not a JSON object.',
    next: 'Send a Task or an event as A2A defines it.',
  },
  trace_not_found: {
    status: 404,
    message: 'There is no such trace.',
    next: 'List sessions with GET /v1/relay/sessions and take a trace id from there.',
  },
  relay_session_not_found: {
    status: 404,
    message: 'No span belongs to this session.',
    next: 'List sessions with GET /v1/relay/sessions and take an id from there.',
  },
  invalid_trace_cursor: {
    status: 400,
    message: 'The cursor is not one that this list gave out.',
    next: 'Take `next` of the page before, or leave the cursor out to begin anew.',
  },
  invalid_attribute_filter: {
    status: 400,
    message: 'An attribute filter is a key, or a key and its value as `key=value`.',
    next: 'For example attribute=gen_ai.request.model=gpt-5.',
  },
  nothing_to_replay: {
    status: 404,
    message: 'There is no message here that went through this relay.',
    next: 'Only what this relay forwarded itself can be sent again; list sessions with GET /v1/relay/sessions.',
  },
  replay_target_unclear: {
    status: 400,
    message: 'The messages went to several agents, and `to` does not say which of them takes whose place.',
    next: 'Name each as `old=new`, and each only once.',
  },
  replay_too_long: {
    status: 400,
    message: 'This is more than one replay takes: 1,000 messages, or 20,000 spans.',
    next: 'Replay one trace of it at a time.',
  },
  too_many_replays: {
    status: 429,
    message: 'As many replays are running as may at a time.',
    next: 'Wait until one has ended, or stop one with POST /v1/relay/replays/{replay_id}/stop.',
    retryable: true,
  },
  replay_not_found: {
    status: 404,
    message: 'There is no such replay.',
    next: 'List them with GET /v1/relay/replays.',
  },
  annotation_not_found: {
    status: 404,
    message: 'There is no such annotation.',
    next: 'List annotations with GET /v1/relay/annotations and take an id of your own from there.',
  },
  too_many_annotations: {
    status: 409,
    message: 'The trace has as many annotations as it may.',
    next: 'Remove one first.',
  },
  stats_range_too_long: {
    status: 400,
    message: 'The time between `from` and `to` is too long for this interval.',
    next: 'Ask for at most 14 days by hour, or 400 days by day.',
  },
  too_many_prices: {
    status: 409,
    message: 'The project has as many prices as it may.',
    next: 'Remove those that no longer matter, or use patterns such as `claude-*`.',
  },
  unsupported_telemetry: {
    status: 400,
    message: 'Only logs and metrics of Claude Code and Codex are taken here.',
    next: 'Send other logs and metrics to a collector for them; spans of every program are taken at /v1/traces.',
  },
  invalid_otlp: {
    status: 400,
    message: 'The body is not an OTLP trace export.',
    next: 'Send an ExportTraceServiceRequest as application/x-protobuf or application/json.',
  },
  export_too_large: {
    status: 413,
    message: 'The export is larger than this collector accepts.',
    next: 'Send smaller batches.',
  },
  message_too_large: {
    status: 413,
    message: 'The message is larger than the relay accepts.',
    next: 'Send a smaller one, or a link instead of a file.',
  },
  channel_not_found: {
    status: 404,
    message: 'There is no such channel.',
    next: 'List the channels with GET /agent-channel.',
  },
  channel_state_missing: {
    status: 404,
    message: 'The channel has no document of this kind yet.',
    next: 'Post one with POST /agent-channel/{id}/event.',
  },
  channel_closed: {
    status: 409,
    message: 'The channel is closed and accepts no more events.',
    next: 'Open a new channel; the events of this one stay readable.',
  },
  channel_ids_exhausted: {
    status: 503,
    message: 'No free channel id was found.',
    next: 'Try again.',
    retryable: true,
  },
  state_conflict: {
    status: 409,
    message: 'The state has changed since it was read.',
    next: 'Read the state again and send the change with its `seq`.',
  },
  concept_conflict: {
    status: 409,
    message: 'A concept may not go from its status to this one.',
    next: 'proposed → in_progress → done or abandoned; a finished concept stays as it is.',
  },
  lease_held: {
    status: 409,
    message: 'Another agent holds the lease.',
    next: 'Wait until `details.expires_at`, or ask its holder to release it.',
  },
  lease_lost: {
    status: 409,
    message: 'The lease is no longer held with this fencing token.',
    next: 'Acquire it again; what was written under the old token was refused.',
  },
  receipt_ahead: {
    status: 400,
    message: 'The receipt is for an event that does not exist yet.',
    next: 'Acknowledge the `seq` of an event that was read.',
  },
  envelope_unverified: {
    status: 422,
    message: 'The request envelope does not verify.',
    next: 'See `details.reason`; treat the request as hostile.',
  },
});
