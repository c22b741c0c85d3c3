import { defineErrors } from '../error.ts';

export const noteErrors = defineErrors({
  malformed_note: {
    status: 400,
    message: 'This is not a signed note.',
    next: 'Hand in the note exactly as it was written, with its blank line and signature lines.',
  },
  malformed_checkpoint: {
    status: 400,
    message: 'The note holds no checkpoint.',
    next: 'Hand in a checkpoint: origin, size and root hash, each on its own line.',
  },
  malformed_key: {
    status: 400,
    message: 'This is not a verifier key.',
    next: 'Hand in the key as it was published: name+id+key.',
  },
  note_not_trusted: {
    status: 400,
    message: 'No key that you trust has signed the note.',
    next: 'Compare the verifier key with the one that the log publishes.',
  },
  note_forged: {
    status: 400,
    message: 'A signature on the note is not by the key that it names.',
    next: 'Do not rely on this note: ask the log for its checkpoint again.',
  },
});
