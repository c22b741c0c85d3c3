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
    message: 'This chain does not take events of this type.',
    next: 'Report this as a bug: the server tried to write an event that its own verifier would reject.',
  },
  event_not_found: {
    status: 404,
    message: 'There is no such event.',
    next: 'Check the event id; `/v1/events` lists the events that exist.',
  },
  event_pruned: {
    status: 410,
    message: 'Retention dropped the payload of this event, so there is nothing left to prove.',
    next: 'Use an earlier export; the event hash and its leaf are still in the tree.',
  },
  cursor_expired: {
    status: 410,
    message: 'Retention dropped events after this cursor.',
    next: 'Read the current state again, then follow from `details.oldest`, or without a cursor.',
  },
  cursors_conflict: {
    status: 400,
    message: '`after` and `before` cannot be combined.',
    next: 'Read forward with `after`, or backward with `before`.',
  },
  invalid_range: {
    status: 400,
    message: 'The tree has no such leaf or size.',
    next: 'Request a leaf below the size of the tree, and give sizes in ascending order.',
  },
  journal_rewritten: {
    status: 500,
    message: 'The journal no longer matches its signed checkpoints: its history was changed or truncated.',
    next: 'Stop writing, keep the files as they are, run `baton journal verify`, and restore a backup.',
  },
  witness_misconfigured: {
    status: 500,
    message: 'A witness in BATON_WITNESSES cannot be used.',
    next: 'Give each as its address and its key, `https://witness.example/prefix name+id+key`, separated by commas.',
  },
  payload_key_missing: {
    status: 500,
    message: 'A payload is encrypted with a key that is not configured.',
    next: 'Add the key with the id in `details.key_id` to the file named by BATON_PAYLOAD_KEY_FILE, below the current key.',
  },
  payload_damaged: {
    status: 500,
    message: 'An encrypted payload cannot be decrypted: it was changed in the store.',
    next: 'Keep the files as they are, run `baton journal verify`, and restore a backup.',
  },
  payload_keys_unreadable: {
    status: 500,
    message: 'The payload keys cannot be read: each line must be 32 bytes in base64.',
    next: 'Generate one with `openssl rand -base64 32` and put it in the file named by BATON_PAYLOAD_KEY_FILE.',
  },
  signing_key_unknown: {
    status: 500,
    message: 'The last checkpoint was signed with a key that is not in this data directory.',
    next: 'Copy `journal.key` from the server that signed it, or restore it from a backup.',
  },
  signing_key_unreadable: {
    status: 500,
    message: 'The file `journal.key` is not a signing key.',
    next: 'Restore it from a backup; if it is lost, move the file away and a new key is generated at the next start.',
  },
});
