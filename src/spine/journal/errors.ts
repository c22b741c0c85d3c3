import { defineErrors } from '../../kernel/error.ts';

export const journalErrors = defineErrors({
  chain_not_found: {
    status: 404,
    message: 'There is no such chain.',
    next: 'Check the session id; a session has a trace chain and a ledger chain.',
  },
  chain_ended: {
    status: 409,
    message: 'This trace was closed by `session.ended` and takes no further events.',
    next: 'Start a new session.',
  },
  event_refused: {
    status: 500,
    message: 'An event of this type cannot stand on this chain.',
    next: 'Report it: the server tried to write an event that its own verifier would refuse.',
  },
  event_not_found: {
    status: 404,
    message: 'There is no such event.',
    next: 'Check the event id; `/v1/events` lists the events that exist.',
  },
  event_pruned: {
    status: 410,
    message: 'The payload of this event was dropped by retention, so nothing is left to prove.',
    next: 'Use an export made before; the event hash and its leaf are still part of the tree.',
  },
  cursor_expired: {
    status: 410,
    message: 'Events after this cursor were dropped by retention.',
    next: 'Read the present state anew, then follow from `details.oldest`, or without a cursor.',
  },
  cursors_conflict: {
    status: 400,
    message: '`after` and `before` exclude each other.',
    next: 'Read on with `after`, or back with `before`.',
  },
  invalid_range: {
    status: 400,
    message: 'The tree has no such leaf or size.',
    next: 'Ask for a leaf below the size of the tree, and for sizes in ascending order.',
  },
  journal_rewritten: {
    status: 500,
    message: 'The journal no longer agrees with what was signed: its history was changed or cut.',
    next: 'Stop writing, keep the files as they are, run `baton journal verify`, and restore a backup.',
  },
  payload_key_missing: {
    status: 500,
    message: 'A payload was sealed with a key that is not among the payload keys.',
    next: 'Add the key whose id is in `details.key_id` to the file of BATON_PAYLOAD_KEY_FILE, below the present one.',
  },
  payload_damaged: {
    status: 500,
    message: 'A sealed payload does not open: it was changed in the store.',
    next: 'Keep the files as they are, run `baton journal verify`, and restore a backup.',
  },
  payload_keys_unreadable: {
    status: 500,
    message: 'The payload keys cannot be read: each line must be 32 bytes in base64.',
    next: 'Make one with `openssl rand -base64 32` and put it into the file of BATON_PAYLOAD_KEY_FILE.',
  },
  signing_key_unknown: {
    status: 500,
    message: 'The last checkpoint was signed by a key that this data directory does not know.',
    next: 'Copy `journal.key` from the server that signed it, or restore it from a backup.',
  },
  signing_key_unreadable: {
    status: 500,
    message: 'The file `journal.key` is not a signing key.',
    next: 'Restore it from a backup; if it is lost, move it away and a new key is made at the next start.',
  },
});
