import { defineErrors } from '../../kernel/error.ts';

export const inboxErrors = defineErrors({
  item_not_found: {
    status: 404,
    message: 'There is no such item in the inbox.',
    next: 'List what waits with `baton inbox`.',
  },
  stale_digest: {
    status: 409,
    message: 'The decision is about something else than what the item now asks.',
    next: 'Read the item again, look at what it asks, and decide with its digest.',
  },
  already_decided: {
    status: 409,
    message: 'This item was decided already.',
    next: 'Read the item to see who decided what; a new request opens a new item.',
  },
  item_superseded: {
    status: 409,
    message: 'This item was closed because its question was settled elsewhere or asked anew.',
    next: 'List what waits now with `baton inbox`.',
  },
  item_expired: {
    status: 410,
    message: 'This item expired before it was decided.',
    next: 'Ask for the approval anew; the request opens a new item.',
  },
  human_required: {
    status: 403,
    message: 'Only a person may decide this item.',
    next: 'Decide with a person’s credential, in the dashboard or with `baton inbox`.',
  },
  self_approval: {
    status: 403,
    message: 'Whoever asked for a decision cannot make it.',
    next: 'Let another person decide.',
  },
  presence_required: {
    status: 403,
    message: 'A decision of this risk needs proof that a person is present.',
    next: 'Decide in the dashboard (`baton open`), or run `baton login` and decide within 15 minutes; `baton passphrase` sets a passphrase where there is none.',
  },
  edits_not_allowed: {
    status: 400,
    message: 'This item can be approved or rejected as it is, not edited.',
    next: 'Approve or reject it; to change it, reject and ask anew.',
  },
  edits_missing: {
    status: 400,
    message: '`approve_with_edits` and `edits` go together.',
    next: 'Send `edits` with `approve_with_edits`, and with no other decision.',
  },
});
