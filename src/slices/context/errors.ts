import { defineErrors } from '../../kernel/error.ts';

export const contextErrors = defineErrors({
  invalid_schema: {
    status: 400,
    message: 'The document is not valid under the Agentic Protocol 0.1.',
    next: 'Correct the member that `pointer` names; see sections 6 and 7 of the protocol.',
  },
  hash_mismatch: {
    status: 400,
    message: 'The content does not match the claimed hash.',
    next: 'Send the package exactly as hashed, or omit the `Relay-Content-Hash` header.',
  },
  duplicate_package_id: {
    status: 409,
    message: 'Another package has this id.',
    next: 'Packages never change: choose a new package_id, and name the old one as parent_package_id if this corrects it.',
  },
  package_not_found: {
    status: 404,
    message: 'There is no such package, or this credential cannot see it.',
    next: 'List packages with `baton packages list`, or search for it.',
  },
  ambiguous_package_id: {
    status: 409,
    message: 'Several projects have a package with this id.',
    next: 'Name the project with `?project=`, or use /v1/projects/{project}/packages/{id}.',
  },
  quarantine_needs_person: {
    status: 403,
    message: 'Only a person puts packages into quarantine, or takes them out.',
    next: 'Ask a person, or flag the package for review with `baton review flag`.',
  },
  package_redacted: {
    status: 410,
    message: 'The content of this package was destroyed; its hashes and its place in the lineage remain.',
    next: 'Read the tombstone with `?envelope=1`.',
  },
  invalid_transition: {
    status: 400,
    message: 'The package cannot change from its status to that one.',
    next: 'A complete package does not change: deposit a new one with parent_package_id, or ask for a review with a question package.',
  },
  stale_state: {
    status: 409,
    message: 'Somebody else changed the status in the meantime.',
    next: 'Read the package again, then decide.',
    retryable: true,
  },
  head_moved: {
    status: 409,
    message: 'The package you built on is no longer a head.',
    next: 'Pull the heads in `details.heads`, merge, and deposit with `x-parents`.',
  },
  actor_mismatch: {
    status: 403,
    message: 'The document names a different actor than the credential.',
    next: "Name the credential's own actor (`baton whoami`), or use a key whose `speaks_for` covers the other.",
  },
  reviewer_type_mismatch: {
    status: 403,
    message: 'This review is for another type of actor.',
    next: 'A package with review_type human must be reviewed by a person, with a credential of type human.',
  },
  self_review: {
    status: 403,
    message: 'Authors cannot open a human gate for their own work.',
    next: 'Ask another person to review; `baton inbox list` shows them what waits.',
  },
  fact_not_found: {
    status: 404,
    message: 'There is no such fact.',
    next: 'List facts with `baton facts list`.',
  },
  duplicate_fact_id: {
    status: 409,
    message: 'Another fact has this id.',
    next: 'Omit fact_id to get a new one.',
  },
  temporal_conflict: {
    status: 409,
    message: 'The fact would begin before the one it supersedes.',
    next: 'Give a valid_from that is not before `details.current.valid_from`, or omit it to mean now. To correct the past, give `valid_to` too.',
  },
  fact_changed: {
    status: 409,
    message: 'The current fact is not the one you expected.',
    next: 'Read the current fact in `details.current`, then decide.',
  },
  question_not_found: {
    status: 404,
    message: 'There is no such question in this project.',
    next: 'Use the question_id that asking it returned, and the same project.',
  },
  answer_missing: {
    status: 400,
    message: 'An approval of a question is its answer, and it says nothing.',
    next: 'Write the answer into the note or choose one of the options; reject it if you will not answer.',
  },
  blob_not_found: {
    status: 404,
    message: 'There is no such blob in this project.',
    next: 'Upload it with PUT to the same path first.',
  },
  blob_too_large: {
    status: 413,
    message: 'The blob is too large.',
    next: 'Send at most `details.max_bytes` bytes, and keep larger artefacts where they are built.',
  },
  secret_found: {
    status: 400,
    message: 'The package seems to contain a secret.',
    next: 'Remove what `details.findings` names, or deposit with `Relay-Allow-Secrets: 1` if it is not a secret.',
  },
  invalid_import: {
    status: 400,
    message: 'The import is inconsistent; nothing was imported.',
    next: 'See `details` for the first line at fault.',
  },
  invalid_cursor: {
    status: 400,
    message: 'This cursor is not valid.',
    next: 'Follow the `Link` header with rel=next, or omit the cursor to start over.',
  },
  not_implemented: {
    status: 501,
    message: 'This server does not support what the client asks for.',
    next: 'See /v1/conformance for what it supports; `details.missing_capability` names what is missing.',
  },
  signature_required: {
    status: 403,
    message: 'This project accepts only signed packages.',
    next: 'Deposit with `baton deposit --sign`, or send the DSSE envelope in `Relay-Attestation`.',
  },
  attestation_invalid: {
    status: 400,
    message: 'The envelope does not attest this package.',
    next: 'Sign an in-toto statement about the package id and its body hash; see `details.reason`.',
  },
});
