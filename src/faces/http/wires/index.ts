/** One codec per wire. */
import type { Wire } from '../../../spine/operations/define.ts';
import { a2pWire } from './a2p.ts';
import { agenticWire } from './agentic.ts';
import { craWire } from './cra.ts';
import { oursWire } from './ours.ts';
import type { WireCodec } from './wire-codec.ts';

export const wires: Readonly<Record<Wire, WireCodec>> = {
  ours: oursWire,
  agentic: agenticWire,
  cra: craWire,
  a2p: a2pWire,
};
