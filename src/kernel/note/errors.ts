import { defineErrors } from '../error.ts';

export const noteErrors = defineErrors({
  malformed_note: {
    status: 400,
    message: 'This is not a signed note.',
    next: 'Provide the note exactly as it was written, with its blank line and signature lines.',
  },
  malformed_checkpoint: {
    status: 400,
    message: 'The note does not contain a checkpoint.',
    next: 'Provide a checkpoint: origin, size and root hash, each on its own line.',
  },
  malformed_key: {
    status: 400,
    message: 'This is not a verifier key.',
    next: 'Provide the key as published: name+id+key.',
  },
  note_not_trusted: {
    status: 400,
    message: 'The note is not signed by any key you trust.',
    next: 'Compare the verifier key with the one the log publishes.',
  },
  note_forged: {
    status: 400,
    message: 'A signature on the note was not made with the key it names.',
    next: 'Do not rely on this note; fetch the checkpoint from the log again.',
  },
});
