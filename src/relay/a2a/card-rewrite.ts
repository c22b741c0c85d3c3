/** The peer's card as callers of the relay see it: the same card, reached through the relay. */
import { isObj, type Obj, objects, present, text } from './json.ts';
import { readVersion } from './methods.ts';
import { interfacesOf } from './translate/card.ts';

export interface RewriteOptions {
  /** The public address at which this peer was asked for, without a trailing slash. */
  readonly publicUrl: string;
  /** Adds the version that the peer does not speak: the relay bridges it over JSON-RPC. */
  readonly bridge: boolean;
}

const PROXIED = new Set(['JSONRPC', 'HTTP+JSON']);

/**
 * Interfaces that the relay does not carry (gRPC) are dropped. A signature covers the addresses, so a rewritten card
 * cannot keep it; the card as signed stays readable at `/.well-known/agent-card.signed.json`.
 */
export function rewriteCard(card: Obj, options: RewriteOptions): Obj {
  const { publicUrl, bridge } = options;
  const { signatures: _, ...unsigned } = card;
  const carried = interfacesOf(card).filter(({ binding }) => PROXIED.has(binding));
  const versions = new Set(carried.map(({ version }) => readVersion(version)));
  const modern = Array.isArray(card.supportedInterfaces);
  const legacy = typeof card.url === 'string';
  return present({
    ...unsigned,
    ...(legacy && legacyMembers(card, publicUrl)),
    ...(modern && {
      supportedInterfaces: [
        ...objects(card.supportedInterfaces)
          .filter((one) => PROXIED.has(text(one.protocolBinding) ?? 'JSONRPC'))
          .map((one) => ({ ...one, url: publicUrl })),
        ...(bridge && !versions.has('0.3') ? [bridged(publicUrl, '0.3')] : []),
      ],
    }),
    ...(bridge &&
      legacy &&
      !modern &&
      !versions.has('1.0') && {
        supportedInterfaces: [
          ...carried.map(({ binding, version }) => ({
            url: publicUrl,
            protocolBinding: binding,
            protocolVersion: version,
          })),
          bridged(publicUrl, '1.0'),
        ],
      }),
    ...(bridge &&
      modern &&
      !legacy && {
        url: publicUrl,
        protocolVersion: '0.3.0',
        preferredTransport: 'JSONRPC',
      }),
  });
}

function legacyMembers(card: Obj, publicUrl: string): Obj {
  const more = objects(card.additionalInterfaces).filter((one) =>
    PROXIED.has(text(one.transport) ?? 'JSONRPC'),
  );
  const preferred = text(card.preferredTransport) ?? 'JSONRPC';
  return present({
    url: publicUrl,
    preferredTransport:
      card.preferredTransport === undefined
        ? undefined
        : PROXIED.has(preferred)
          ? preferred
          : (text(more[0]?.transport) ?? 'JSONRPC'),
    additionalInterfaces:
      card.additionalInterfaces === undefined ? undefined : more.map((one) => ({ ...one, url: publicUrl })),
  });
}

function bridged(url: string, protocolVersion: string): Obj {
  return { url, protocolBinding: 'JSONRPC', protocolVersion };
}

export function isSignedCard(card: unknown): boolean {
  return isObj(card) && Array.isArray(card.signatures) && card.signatures.length > 0;
}
