import { defineErrors } from '../../kernel/error.ts';

export const inboxErrors = defineErrors({
  item_not_found: {
    status: 404,
    message: 'There is no such item in the inbox.',
    next: 'List open items with `baton inbox`.',
  },
  stale_digest: {
    status: 409,
    message: 'The item has changed since you looked at it.',
    next: 'Read the item again, review it, and decide with its new digest.',
  },
  already_decided: {
    status: 409,
    message: 'This item has already been decided.',
    next: 'Read the item to see the decision and who made it; a new request opens a new item.',
  },
  item_superseded: {
    status: 409,
    message: 'This item was closed because it was settled elsewhere or replaced by a new request.',
    next: 'List open items with `baton inbox`.',
  },
  item_expired: {
    status: 410,
    message: 'This item expired before it was decided.',
    next: 'Request the approval again; this opens a new item.',
  },
  human_required: {
    status: 403,
    message: 'Only a person may decide this item.',
    next: 'Decide with a person’s credential, in the dashboard or with `baton inbox`.',
  },
  approver_required: {
    status: 403,
    message: 'The rule names other people to decide this.',
    next: 'Let one of those who may decide it do so; `details` names them where you may know.',
  },
  unknown_choice: {
    status: 400,
    message: 'The item does not offer this choice.',
    next: 'Use one of the ids in `choices`, only with an approval, or leave `choice` out for the first.',
  },
  self_approval: {
    status: 403,
    message: 'You cannot decide what was asked with your own credential, for yourself or for somebody else.',
    next: 'Have another person decide.',
  },
  presence_required: {
    status: 403,
    message: 'A decision of this risk level needs proof that a person is present.',
    next: 'Prove it with the passkey or passphrase in the dashboard (`baton open`), or with `baton login`, and decide within 15 minutes. If you have neither, set a passphrase with `baton passphrase` first; a sign-in link proves nothing.',
  },
  too_late_to_undo: {
    status: 409,
    message: 'This decision can no longer be taken back.',
    next: 'Read the item to see what became of it; what was approved for many calls can be revoked with `baton approvals revoke`.',
  },
  not_your_decision: {
    status: 403,
    message: 'Somebody else made this decision.',
    next: 'Ask them to take it back; `decision.decided_by` of the item names them.',
  },
  deferred_too_far: {
    status: 400,
    message: 'An item can be deferred only to a time that is ahead, and before it expires.',
    next: 'Choose an earlier time, or let it expire by rejecting it now.',
  },
  cannot_hand_over: {
    status: 400,
    message: 'Whom you name could not decide this item.',
    next: 'Name another person who may decide it; `details` says what stands in the way.',
  },
  edits_not_allowed: {
    status: 400,
    message: 'This item can only be approved or rejected as it is, not edited.',
    next: 'Approve or reject it; to change it, reject it and make a new request.',
  },
  edits_missing: {
    status: 400,
    message: '`approve_with_edits` requires `edits`, and `edits` requires `approve_with_edits`.',
    next: 'Send `edits` with `approve_with_edits`, and with no other decision.',
  },
});
