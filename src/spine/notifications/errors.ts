import { defineErrors } from '../../kernel/error.ts';

export const notificationErrors = defineErrors({
  people_only: {
    status: 403,
    message: 'Only a person with a stored key is notified.',
    next: 'Use a person’s key, or a dashboard session opened with one; the owner invites people in the dashboard’s settings.',
  },
  channel_not_found: {
    status: 404,
    message: 'There is no such channel, or it is somebody else’s.',
    next: 'List your channels with `baton notify`.',
  },
  too_many_channels: {
    status: 409,
    message: 'You already have ten channels.',
    next: 'Remove one with `baton notify remove ID`.',
  },
  channel_invalid: {
    status: 400,
    message: 'A channel with these properties cannot be used.',
    next: 'Correct the field that `pointer` names.',
  },
  mail_not_set: {
    status: 409,
    message: 'No mail server is set, so no e-mail can be sent.',
    next: 'The owner sets one with `baton notify mail set`, or in the dashboard’s settings.',
  },
  notification_not_sent: {
    status: 502,
    message: 'The message could not be sent.',
    next: 'See `details.reason`; correct the channel and test it again.',
  },
  notification_refused: {
    status: 502,
    message: 'The other side refused the message.',
    next: 'See `details`; check the address and what the other side expects.',
  },
  notify_key_unreadable: {
    status: 500,
    message:
      'The key that seals the addresses of notifications is not 32 bytes in base64, or is another one.',
    next: 'Correct BATON_NOTIFY_KEY, or restore notifications.key in the data directory; channels made with a lost key have to be added again.',
  },
});
