import { defineErrors } from '../../kernel/error.ts';

export const contextErrors = defineErrors({
  invalid_schema: {
    status: 400,
    message: 'The document does not fit the Agentic Protocol 0.1.',
    next: 'Correct the member that `pointer` names; sections 6 and 7 of the protocol say what it takes.',
  },
  hash_mismatch: {
    status: 400,
    message: 'The content is not the one whose hash was claimed.',
    next: 'Send the package exactly as hashed, or leave the `Relay-Content-Hash` header out.',
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
    next: 'Say which with `?project=`, or use /v1/projects/{project}/packages/{id}.',
  },
  package_redacted: {
    status: 410,
    message: 'The content of this package was destroyed; its hashes and its place in the lineage remain.',
    next: 'Read the tombstone with `?envelope=1`.',
  },
  invalid_transition: {
    status: 400,
    message: 'The package cannot go from its status to that one.',
    next: 'A complete package stays as it is: deposit a new one with parent_package_id, or ask for review with a question package.',
  },
  stale_state: {
    status: 409,
    message: 'Somebody else changed the status in the meantime.',
    next: 'Read the package again and decide anew.',
    retryable: true,
  },
  head_moved: {
    status: 409,
    message: 'The package you built on is no longer a head.',
    next: 'Pull the heads in `details.heads`, merge, and deposit with `x-parents`.',
  },
  actor_mismatch: {
    status: 403,
    message: 'The document names another actor than the credential.',
    next: "Name the credential's own actor (`baton whoami`), or use the owner key to act for others.",
  },
  reviewer_type_mismatch: {
    status: 403,
    message: 'This review is for another kind of actor.',
    next: 'A package with review_type human is decided by a person, with a credential of type human.',
  },
  self_review: {
    status: 403,
    message: 'A human gate is not opened by the author.',
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
    next: 'Leave fact_id out to get a new one.',
  },
  temporal_conflict: {
    status: 409,
    message: 'The fact would begin before the one it supersedes.',
    next: 'Give a valid_from that is not before `details.current.valid_from`, or leave it out for now.',
  },
  fact_changed: {
    status: 409,
    message: 'The current fact is not the one you expected.',
    next: 'Read the current fact in `details.current` and decide anew.',
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
    next: 'Remove what `details.findings` names, or deposit with `Relay-Allow-Secrets: 1` if it is none.',
  },
  invalid_import: {
    status: 400,
    message: 'The import does not hold together; nothing of it was taken.',
    next: 'See `details` for the first line that does not fit.',
  },
  invalid_cursor: {
    status: 400,
    message: 'This cursor is none of ours.',
    next: 'Follow the `Link` header with rel=next, or leave the cursor out to begin anew.',
  },
  not_implemented: {
    status: 501,
    message: 'This server does not have what the client asks for.',
    next: 'See /v1/conformance for what it can do; `details.missing_capability` names what is missing.',
  },
  signature_required: {
    status: 403,
    message: 'This project takes signed packages only.',
    next: 'Deposit with `baton deposit --sign`, or send the DSSE envelope in `Relay-Attestation`.',
  },
  attestation_invalid: {
    status: 400,
    message: 'The envelope does not attest this package.',
    next: 'Sign an in-toto statement about the package id and its body hash; see `details.reason`.',
  },
});
