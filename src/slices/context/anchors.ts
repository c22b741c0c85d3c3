import type { z } from 'zod';
import { anchorsSchema } from './schema.ts';

export type Anchor = z.output<typeof anchorsSchema>[number];

/** Of a package or a fact as it stands on the wire; what came from elsewhere and is none of ours counts as none. */
export function anchorsIn(wire: string): readonly Anchor[] {
  // Most say nothing of files: they are not parsed.
  if (!wire.includes('"x-anchors"')) return [];
  const given = (JSON.parse(wire) as { 'x-anchors'?: unknown })['x-anchors'];
  return anchorsSchema.safeParse(given).data ?? [];
}
