/** The peer's card as callers of the relay see it: the same card, reached through the relay. */
import {
  asRecord,
  asRecords,
  asText,
  isRecord,
  type LooseRecord,
  present,
} from '../../../kernel/json/loose.ts';
import { type A2aBinding, type A2aVersion, readVersion } from './methods.ts';
import {
  cardTo03,
  cardTo10,
  interfacesOf,
  requirementsTo03,
  requirementsTo10,
  schemesTo03,
  schemesTo10,
  withLists,
} from './translate/card.ts';

/** What the relay speaks to its callers, whatever a peer speaks: the better bridge first. */
const SPOKEN: readonly (readonly [A2aBinding, A2aVersion])[] = [
  ['JSONRPC', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '1.0'],
  ['HTTP+JSON', '0.3'],
];

const BY_HTTP: ReadonlySet<string> = new Set(SPOKEN.map(([binding]) => binding));

/** Where callers reach agents by gRPC, and under which tenant this one: gRPC has no paths that could name it. */
export interface GrpcReach {
  readonly url: string;
  readonly tenant: string;
}

/** Where callers reach this agent. */
export interface CardReach {
  /** Without a trailing slash. */
  readonly url: string;
  readonly grpc?: GrpcReach | undefined;
}

/**
 * The peer's own interfaces come first, so that who can speak to it as it speaks does; then those that the relay
 * bridges. What the relay does not carry is dropped. A signature covers the addresses, so a rewritten card cannot keep
 * it; the card as signed stays readable at `/.well-known/agent-card.signed.json`.
 */
export function rewriteCard(card: LooseRecord, reach: CardReach, shape: CardShape): LooseRecord {
  const { signatures: _, ...unsigned } = card;
  if (shape === '1.0') {
    const modern = ownShape(card) === '1.0' ? unsigned : cardTo10(unsigned);
    return { ...modern, supportedInterfaces: modernInterfaces(card, reach) };
  }
  if (shape === '0.3') {
    const legacy = ownShape(card) === '0.3' ? unsigned : cardTo03(without10(unsigned));
    return { ...withLists(legacy), ...legacyInterfaces(card, reach) };
  }
  return {
    ...withLists(unsigned),
    supportedInterfaces: modernInterfaces(card, reach),
    ...legacyInterfaces(card, reach),
    ...inBothVersions(card),
  };
}

/** `both`: for callers of either version, as agents that speak both write it. */
export type CardShape = A2aVersion | 'both';

/** In which shape the card was written. */
export function ownShape(card: LooseRecord): CardShape {
  if (!Array.isArray(card.supportedInterfaces)) return '0.3';
  return typeof card.url === 'string' ? 'both' : '1.0';
}

/**
 * The shape for a caller that names its version, or does not: then the one in which the agent itself would answer it.
 * One of 1.0 that also speaks 0.3 has callers who know no such header.
 */
export function shapeFor(card: LooseRecord, version: string | undefined): CardShape {
  const named = version?.trim() ? readVersion(version) : undefined;
  if (named) return named;
  const speaks03 = interfacesOf(card).some((one) => readVersion(one.version) === '0.3');
  const own = ownShape(card);
  return own === '1.0' && speaks03 ? 'both' : own;
}

function without10({ supportedInterfaces, ...card }: LooseRecord): LooseRecord {
  return ownShape({ supportedInterfaces, ...card }) === 'both' ? card : { supportedInterfaces, ...card };
}

/** What else the versions spell differently, so that a client of either finds it. */
function inBothVersions({ capabilities, security, securityRequirements, ...card }: LooseRecord): LooseRecord {
  const given = asRecord(capabilities);
  const extended = card.supportsAuthenticatedExtendedCard === true || given.extendedAgentCard === true;
  return present({
    capabilities: extended ? { ...given, extendedAgentCard: true } : given,
    supportsAuthenticatedExtendedCard: extended || undefined,
    security: requirementsTo03(security ?? securityRequirements),
    securityRequirements: requirementsTo10(securityRequirements ?? security),
    securitySchemes: schemesInBoth(card.securitySchemes),
  });
}

function schemesInBoth(schemes: unknown): LooseRecord | undefined {
  const [legacy, modern] = [schemesTo03(schemes) ?? {}, schemesTo10(schemes)];
  return (
    modern &&
    Object.fromEntries(
      Object.entries(modern).map(([name, scheme]) => [
        name,
        { ...(legacy[name] as LooseRecord), ...(scheme as LooseRecord) },
      ]),
    )
  );
}

function modernInterfaces(card: LooseRecord, { url, grpc }: CardReach): LooseRecord[] {
  const named = Array.isArray(card.supportedInterfaces)
    ? asRecords(card.supportedInterfaces).map((one) => ({ protocolBinding: 'JSONRPC', ...one }))
    : interfacesOf(card).map(({ binding, version }) => ({
        protocolBinding: binding,
        protocolVersion: version,
      }));
  const own = named.map((one: LooseRecord): LooseRecord => {
    if (one.protocolBinding !== 'GRPC' || !grpc) return { ...one, url };
    // What the agent itself wants to be told stands behind its name.
    const tenant = [grpc.tenant, asText(one.tenant)].filter(Boolean).join('/');
    return { ...one, url: grpc.url, tenant };
  });
  const carried = own.filter((one: LooseRecord) => isCarried(String(one.protocolBinding), grpc));
  const known = new Set(carried.map((one) => `${one.protocolBinding} ${versionOf(one)}`));
  const bridged = SPOKEN.map(
    ([protocolBinding, protocolVersion]): LooseRecord => ({
      url,
      protocolBinding,
      protocolVersion,
    }),
  ).concat(
    grpc ? VERSIONS.map((protocolVersion) => ({ ...grpc, protocolBinding: 'GRPC', protocolVersion })) : [],
  );
  return [
    ...carried,
    ...bridged.filter((one) => !known.has(`${one.protocolBinding} ${one.protocolVersion}`)),
  ];
}

const VERSIONS: readonly A2aVersion[] = ['1.0', '0.3'];

function isCarried(binding: string, grpc: GrpcReach | undefined): boolean {
  return BY_HTTP.has(binding) || (binding === 'GRPC' && grpc !== undefined);
}

/** The members by which 0.3 names interfaces; a card of 1.0 is given them. */
function legacyInterfaces(card: LooseRecord, { url, grpc }: CardReach): LooseRecord {
  const isLegacy = typeof card.url === 'string';
  const own = interfacesOf(card).filter(
    ({ binding, version }) => BY_HTTP.has(binding) && readVersion(version) === '0.3',
  );
  const preferred = own[0]?.binding ?? 'JSONRPC';
  const other = preferred === 'JSONRPC' ? 'HTTP+JSON' : 'JSONRPC';
  const kept = asRecords(card.additionalInterfaces).filter((one) => BY_HTTP.has(String(one.transport)));
  const known = kept.some((one) => one.transport === other);
  return present({
    url,
    protocolVersion: isLegacy ? card.protocolVersion : '0.3.0',
    preferredTransport: preferred,
    additionalInterfaces: [
      ...kept.map((one) => ({ ...one, url })),
      ...(known ? [] : [{ url, transport: other }]),
      ...(grpc ? [{ url: grpc.url, transport: 'GRPC' }] : []),
    ],
  });
}

function versionOf({ protocolVersion }: LooseRecord): A2aVersion | undefined {
  return readVersion(asText(protocolVersion) ?? '1.0');
}

/** Whether this is a card at all, of whichever version. */
export function isCard(value: unknown): value is LooseRecord {
  return isRecord(value) && (Array.isArray(value.supportedInterfaces) || typeof value.url === 'string');
}
