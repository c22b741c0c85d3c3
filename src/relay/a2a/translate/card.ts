import { isObj, type Obj, objects, present, text } from '../json.ts';

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

export function cardTo10(card: Obj): Obj {
  if (Array.isArray(card.supportedInterfaces)) return card;
  const {
    url: _url,
    preferredTransport: _transport,
    additionalInterfaces: _more,
    protocolVersion: _version,
    supportsAuthenticatedExtendedCard: extended,
    security,
    capabilities,
    ...rest
  } = card;
  return present({
    ...rest,
    supportedInterfaces: interfacesOf(card).map(({ url, binding, version }) => ({
      url,
      protocolBinding: binding,
      protocolVersion: version,
    })),
    capabilities: {
      ...(isObj(capabilities)
        ? {
            streaming: capabilities.streaming,
            pushNotifications: capabilities.pushNotifications,
            extensions: capabilities.extensions,
          }
        : {}),
      ...(extended === true && { extendedAgentCard: true }),
    },
    securityRequirements: Array.isArray(security)
      ? security.filter(isObj).map((one) => ({
          schemes: Object.fromEntries(Object.entries(one).map(([name, list]) => [name, { list }])),
        }))
      : undefined,
  });
}

export function cardTo03(card: Obj): Obj {
  if (typeof card.url === 'string') return card;
  const { supportedInterfaces: _, capabilities, securityRequirements, ...rest } = card;
  const [first, ...others] = interfacesOf(card);
  const extended = isObj(capabilities) && capabilities.extendedAgentCard === true;
  return present({
    ...rest,
    protocolVersion: '0.3.0',
    url: first?.url ?? '',
    preferredTransport: first?.binding ?? 'JSONRPC',
    additionalInterfaces: others.map(({ url, binding }) => ({ url, transport: binding })),
    capabilities: isObj(capabilities)
      ? present({
          streaming: capabilities.streaming,
          pushNotifications: capabilities.pushNotifications,
          extensions: capabilities.extensions,
        })
      : {},
    supportsAuthenticatedExtendedCard: extended || undefined,
    security: Array.isArray(securityRequirements)
      ? securityRequirements
          .filter(isObj)
          .map(({ schemes }) =>
            Object.fromEntries(
              Object.entries(isObj(schemes) ? schemes : {}).map(([name, value]) => [
                name,
                isObj(value) && Array.isArray(value.list) ? value.list : [],
              ]),
            ),
          )
      : undefined,
  });
}
