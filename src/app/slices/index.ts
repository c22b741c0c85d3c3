/** The slices of the product, in the order in which they are composed. */
import type { Slice } from '../slice.ts';
import { agentsSlice } from './agents.ts';
import { contextSlice } from './context.ts';
import { deliverySlice } from './delivery.ts';
import { governanceSlice } from './governance.ts';
import { memorySlice } from './memory.ts';
import { relaySlice } from './relay.ts';
import { whySlice } from './why.ts';

export const slices: readonly Slice[] = [
  contextSlice,
  governanceSlice,
  relaySlice,
  deliverySlice,
  memorySlice,
  agentsSlice,
  whySlice,
];
