/** Everything that the slice can be asked, subject by subject. */
import { catalogueOperations } from './catalogue/operations.ts';
import { channelOperations } from './channel/operations.ts';
import { exchangeOperations } from './exchanges/operations.ts';
import { peerOperations } from './peers/operations.ts';
import { replayOperations } from './replays/operations.ts';
import { spanOperations } from './spans/operations.ts';
import { taskOperations } from './tasks/operations.ts';
import { traceOperations } from './traces/operations.ts';
import { usageOperations } from './usage/operations.ts';

export const relayOperations = {
  ...spanOperations,
  ...traceOperations,
  ...usageOperations,
  ...peerOperations,
  ...catalogueOperations,
  ...exchangeOperations,
  ...replayOperations,
  ...taskOperations,
  ...channelOperations,
};
