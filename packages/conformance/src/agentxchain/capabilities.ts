import {
  asList,
  asRecord,
  asString,
  asStrings,
  isNonBlank,
  isRecord,
  type LooseRecord,
} from '../../../../src/kernel/json/loose.ts';
import { conformanceErrors } from './errors.ts';

export interface Capabilities {
  readonly implementation: string;
  readonly protocolVersion: string | null;
  readonly command: readonly string[];
  readonly tiers: readonly number[];
  /** Undefined when the target names none: then every surface may be asked for. */
  readonly surfaces: readonly string[] | undefined;
}

export function readCapabilities(
  raw: unknown,
  protocol: 'stdio-fixture-v1' | 'http-fixture-v1',
): Capabilities {
  const invalid = (message: string) => conformanceErrors.capabilities_invalid({ message });
  if (!isRecord(raw)) throw invalid('The capabilities are not a JSON object.');
  if (!isNonBlank(raw.implementation)) throw invalid('implementation is empty.');
  const adapter = asRecord(raw.adapter);
  if (adapter.protocol !== protocol) throw invalid(`adapter.protocol is not "${protocol}".`);
  const command = asList(adapter.command);
  if (protocol === 'stdio-fixture-v1' && (command.length === 0 || !command.every(isNonBlank))) {
    throw invalid('adapter.command is not a list of words.');
  }
  const tiers = asList(raw.tiers);
  if (tiers.length === 0 || !tiers.every((tier) => tier === 1 || tier === 2 || tier === 3)) {
    throw invalid('tiers names something other than 1, 2 and 3.');
  }
  return {
    implementation: raw.implementation,
    protocolVersion: asString(raw.protocol_version) ?? null,
    command: asStrings(command),
    tiers: tiers as readonly number[],
    surfaces: isRecord(raw.surfaces) ? namesSet(raw.surfaces) : undefined,
  };
}

const namesSet = (flags: LooseRecord) => Object.keys(flags).filter((name) => Boolean(flags[name]));

export function requireSurface({ surfaces: claimed }: Capabilities, surface: string | undefined): void {
  if (surface === undefined || claimed === undefined || claimed.includes(surface)) return;
  throw conformanceErrors.surface_unclaimed({
    message: `"${surface}" is not claimed. Claimed are: ${claimed.join(', ')}.`,
    details: { surface, claimed },
  });
}
