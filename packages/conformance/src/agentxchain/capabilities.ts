import {
  asList,
  isNonBlank,
  isRecord,
  isString,
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
  if (!isRecord(raw)) throw invalid('The capabilities are no JSON object.');
  if (!isNonBlank(raw.implementation)) throw invalid('implementation is empty.');
  const adapter: LooseRecord = isRecord(raw.adapter) ? raw.adapter : {};
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
    protocolVersion: isString(raw.protocol_version) ? raw.protocol_version : null,
    command: command.filter(isString),
    tiers: tiers as readonly number[],
    surfaces: isRecord(raw.surfaces)
      ? Object.entries(raw.surfaces)
          .filter(([, claimed]) => Boolean(claimed))
          .map(([surface]) => surface)
      : undefined,
  };
}

export function requireSurface(capabilities: Capabilities, surface: string | undefined): void {
  if (surface === undefined || capabilities.surfaces === undefined || capabilities.surfaces.includes(surface))
    return;
  throw conformanceErrors.surface_unclaimed({
    message: `"${surface}" is not claimed. Claimed are: ${capabilities.surfaces.join(', ')}.`,
    details: { surface, claimed: capabilities.surfaces },
  });
}
