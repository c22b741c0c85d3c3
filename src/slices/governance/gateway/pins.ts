import { readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import type { Hasher } from '../../../kernel/hasher.ts';
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import { writePrivateFile } from '../../../platform/private-files.ts';
import { governanceErrors } from '../errors.ts';
import type { UpstreamTool } from './gateway-atlas.ts';

/** `server/tool` → hash of the tool's description when it was first seen. */
export type Pins = Readonly<Record<string, string>>;

export interface PinCheck {
  readonly pins: Pins;
  readonly added: readonly string[];
  /** Tools that have changed since they were pinned: neither listed nor called until someone pins them again. */
  readonly quarantined: readonly string[];
}

export function pinName(server: string, tool: string): string {
  return `${server}/${tool}`;
}

function pinOf(tool: UpstreamTool, hasher: Hasher): string {
  const { name, description = '', inputSchema } = tool;
  return hasher.hex(canonicalJcs(fromPlain({ name, description, inputSchema })));
}

/** New tools are trusted, changed ones are not. A tool that disappears keeps its pin, so that it cannot return changed. */
export function checkPins(
  known: Pins,
  tools: readonly { readonly server: string; readonly tool: UpstreamTool }[],
  hasher: Hasher,
): PinCheck {
  const pins: Record<string, string> = { ...known };
  const added: string[] = [];
  const quarantined: string[] = [];
  for (const { server, tool } of tools) {
    const name = pinName(server, tool.name);
    const pin = pinOf(tool, hasher);
    const before = Object.hasOwn(pins, name) ? pins[name] : undefined;
    if (before === undefined) {
      pins[name] = pin;
      added.push(name);
    } else if (before !== pin) quarantined.push(name);
  }
  return { pins, added, quarantined };
}

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
      // Starting over would trust whatever the servers say now.
      throw governanceErrors.atlas_load_error({
        message: `${path} is not a file of pins.`,
        next: 'Restore it, or remove it to pin all tools again.',
      });
    },
    async write(pins) {
      await writePrivateFile(`${path}.new`, `${JSON.stringify({ pins_version: '1', pins }, null, 2)}\n`);
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
