import { isObj, type Obj, objects, present, text } from '../json.ts';
import { requirementsTo03, requirementsTo10, schemesTo03, schemesTo10 } from './security.ts';

export interface CardInterface {
  readonly url: string;
  readonly binding: string;
  readonly version: string;
  readonly tenant?: string;
}

/** Every interface that a card names, in whichever of the shapes 0.2, 0.3 and 1.0 it names them. */
export function interfacesOf(card: Obj): CardInterface[] {
  const modern = objects(card.supportedInterfaces).map((one) => ({
    url: text(one.url) ?? '',
    binding: text(one.protocolBinding) ?? 'JSONRPC',
    version: text(one.protocolVersion) ?? '1.0',
    ...(text(one.tenant) && { tenant: text(one.tenant) as string }),
  }));
  if (modern.length > 0) return modern;
  const version = text(card.protocolVersion) ?? '0.3';
  const main = text(card.url);
  const rest = objects(card.additionalInterfaces).map((one) => ({
    url: text(one.url) ?? '',
    binding: text(one.transport) ?? 'JSONRPC',
    version,
  }));
  const first = main ? [{ url: main, binding: text(card.preferredTransport) ?? 'JSONRPC', version }] : [];
  return [
    ...first,
    ...rest.filter(({ url, binding }) => url !== first[0]?.url || binding !== first[0]?.binding),
  ];
}

/** A card that names its interfaces in both ways keeps those of 1.0. */
export function cardTo10(card: Obj): Obj {
  const {
    url: _url,
    preferredTransport: _transport,
    additionalInterfaces: _more,
    protocolVersion: _version,
    supportsAuthenticatedExtendedCard: extended,
    supportedInterfaces,
    security,
    securitySchemes,
    capabilities,
    ...rest
  } = card;
  return present({
    securityRequirements: requirementsTo10(security),
    ...rest,
    supportedInterfaces: Array.isArray(supportedInterfaces)
      ? supportedInterfaces
      : interfacesOf(card).map(({ url, binding, version }) => ({
          url,
          protocolBinding: binding,
          protocolVersion: version,
        })),
    securitySchemes: schemesTo10(securitySchemes),
    capabilities: {
      ...commonCapabilities(capabilities),
      ...(extended === true && { extendedAgentCard: true }),
    },
  });
}

/** A card that names its interfaces in both ways keeps those of 0.3. */
export function cardTo03(card: Obj): Obj {
  const { supportedInterfaces: _, capabilities, securityRequirements, securitySchemes, ...rest } = card;
  const [first, ...others] = interfacesOf(card);
  const { extendedAgentCard, ...common } = commonCapabilities(capabilities);
  return present({
    protocolVersion: '0.3.0',
    url: first?.url ?? '',
    preferredTransport: first?.binding ?? 'JSONRPC',
    additionalInterfaces: others.map(({ url, binding }) => ({ url, transport: binding })),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    security: requirementsTo03(securityRequirements),
    ...withLists(rest),
    securitySchemes: schemesTo03(securitySchemes),
    capabilities: common,
  });
}

/** The JSON of protobuf leaves out empty lists; cards of 0.3 must have these. */
export function withLists(card: Obj): Obj {
  return { defaultInputModes: [], defaultOutputModes: [], skills: [], ...card };
}

function commonCapabilities(capabilities: unknown): Obj {
  if (!isObj(capabilities)) return {};
  const { streaming, pushNotifications, extensions, extendedAgentCard } = capabilities;
  return present({
    streaming,
    pushNotifications,
    extensions,
    extendedAgentCard: extendedAgentCard === true || undefined,
  });
}
