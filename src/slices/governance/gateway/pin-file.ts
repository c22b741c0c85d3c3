import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { governanceErrors } from '../errors.ts';
import type { Pins } from './pins.ts';

const fileSchema = z.strictObject({ pins_version: z.literal('1'), pins: z.record(z.string(), z.string()) });

export interface PinStore {
  read(): Promise<Pins>;
  write(pins: Pins): Promise<void>;
}

export function pinsInFile(path: string): PinStore {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text === undefined) return {};
      const parsed = fileSchema.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data.pins;
      // Starting afresh would trust whatever the servers say now.
      throw governanceErrors.atlas_load_error({
        message: `${path} is no file of pins.`,
        next: 'Restore it, or remove it to pin all tools anew.',
      });
    },
    async write(pins) {
      await writeFile(`${path}.new`, `${JSON.stringify({ pins_version: '1', pins }, null, 2)}\n`);
      await rename(`${path}.new`, path);
    },
  };
}

export function pinsInMemory(): PinStore {
  let kept: Pins = {};
  return {
    read: async () => kept,
    write: async (pins) => {
      kept = pins;
    },
  };
}
