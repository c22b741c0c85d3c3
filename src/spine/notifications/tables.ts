import type { TableDeclarations } from '../storage/tables.ts';

export const notificationTables: TableDeclarations = {
  notification_channels: {
    proof: 'state',
    key: ['channel_id'],
    erasable: { columns: ['label', 'shown', 'sealed'], salt: 'salt' },
  },
  notification_mail: { proof: 'state', key: ['account_id'] },
  notification_deliveries: {
    proof: 'ephemeral',
    because: 'What waits to be told, and what was told in the last month; nothing rests on it.',
  },
  notification_messages: { proof: 'ephemeral', because: 'Messages of the last month and how they fared.' },
  notification_cursor: { proof: 'ephemeral', because: 'How far the journal was read.' },
};
