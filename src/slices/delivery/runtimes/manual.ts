import { access } from 'node:fs/promises';
import type { RuntimeAdapter } from './adapter.ts';

/** A person, or a program that they run, writes the result when it is done. */
export const manualAdapter: RuntimeAdapter = async (call) => {
  const ready = await access(call.stagingFile).then(
    () => true,
    () => false,
  );
  if (ready) return { kind: 'staged' };
  return {
    kind: 'waiting',
    message: `Read ${call.bundleDir}/PROMPT.md, do the work, and write the result to ${call.stagingFile}.`,
  };
};
