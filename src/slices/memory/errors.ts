import { defineErrors } from '../../kernel/error.ts';

/** Numbers and statuses of the A2P codes are those of the protocol's own table. */
export const memoryErrors = defineErrors({
  A2P001: {
    status: 401,
    message: 'The request is not signed with a key known to this server.',
    next: 'Sign with the key registered for the DID; `baton memory agents` lists the registered agents.',
  },
  A2P002: {
    status: 403,
    message: 'Only the owner of the profile may do this.',
    next: 'Use the credential of the person whose profile it is.',
  },
  A2P003: {
    status: 404,
    message: 'The profile has nothing with this id.',
    next: 'List the contents of the profile and use an id from there.',
  },
  A2P004: {
    status: 403,
    message: 'The person has not consented to this.',
    next: 'Ask for access with POST /a2p/v1/profile/{did}/access, or ask the person to add a policy.',
  },
  A2P005: {
    status: 429,
    message: 'Too many requests of this kind.',
    next: 'Wait for the number of seconds in `Retry-After`.',
    retryable: true,
  },
  A2P006: {
    status: 400,
    message: 'The request is not valid.',
    next: 'Correct the field that `pointer` names.',
  },
  A2P007: {
    status: 401,
    message: 'The timestamp of the signature is too far from the server clock.',
    next: 'Correct the clock, and sign each request just before you send it.',
  },
  A2P008: {
    status: 401,
    message: 'This nonce has been used before.',
    next: 'Sign again with a fresh random nonce.',
  },
  A2P009: {
    status: 401,
    message: 'The nonce has the wrong form.',
    next: 'Use 16 to 32 letters and digits.',
  },
  A2P010: {
    status: 400,
    message: 'This is not a DID that a2p knows.',
    next: 'Write did:a2p:<user|agent|org|entity|service>:<namespace>:<identifier>, or a did:key.',
  },
  A2P023: {
    status: 400,
    message: 'There is no such memory type.',
    next: 'Use episodic, semantic or procedural.',
  },
  A2P024: {
    status: 400,
    message: 'The memory type contradicts the category, or the array that holds the memory.',
    next: 'Give one type only; use the categories a2p:episodic, a2p:semantic and a2p:procedural for that type alone.',
  },
  A2P025: {
    status: 400,
    message: 'This memory cannot be moved to that type.',
    next: 'Reclassify approved memories only, and to a type other than their own.',
  },
  memory_profile_missing: {
    status: 404,
    message: 'This project has no memory profile yet.',
    next: 'Create one with `baton memory create`.',
  },
  memory_profile_exists: {
    status: 409,
    message: 'A profile with this DID already exists.',
    next: 'Use it, or choose another DID.',
  },
  proposal_closed: {
    status: 409,
    message: 'The proposal is no longer pending.',
    next: 'Check its status, and make a new proposal if that makes sense.',
  },
  proposal_expired: {
    status: 410,
    message: 'The proposal expired before it was reviewed.',
    next: 'Have the agent propose it again.',
  },
  proposal_declined_before: {
    status: 409,
    message: 'The person has declined this content before.',
    next: 'Do not propose it again; the person can add it by hand.',
  },
  merge_refused: {
    status: 409,
    message: 'These memories cannot be merged.',
    next: 'Merge at least two approved memories of the same type and the same top category.',
  },
  merge_undone: {
    status: 409,
    message: 'This merge has already been undone, or one of its memories is gone.',
    next: 'Look at the memories themselves.',
  },
  webhook_refused: {
    status: 400,
    message: 'The address cannot be used for a webhook.',
    next: 'Use a public http(s) address, or allow its host in the settings.',
  },
  import_refused: {
    status: 400,
    message: 'The format of this import is not known.',
    next: 'Import an a2p profile, the JSON of a mem0 export, or Markdown files.',
  },
});

/** A field that cannot be accepted, and why. */
export const invalid = (pointer: string, message: string): Error => memoryErrors.A2P006({ pointer, message });
