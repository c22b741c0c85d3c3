import { asRecords, asText, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';

export interface CardInterface {
  readonly url: string;
  readonly binding: string;
  readonly version: string;
  readonly tenant?: string;
}

/** Every interface that a card names, in whichever of the shapes 0.2, 0.3 and 1.0 it names them. */
export function interfacesOf(card: LooseRecord): CardInterface[] {
  const modern = asRecords(card.supportedInterfaces).map((one) => ({
    url: asText(one.url) ?? '',
    binding: asText(one.protocolBinding) ?? 'JSONRPC',
    version: asText(one.protocolVersion) ?? '1.0',
    ...(asText(one.tenant) && { tenant: asText(one.tenant) as string }),
  }));
  if (modern.length > 0) return modern;
  const version = asText(card.protocolVersion) ?? '0.3';
  const main = asText(card.url);
  const rest = asRecords(card.additionalInterfaces).map((one) => ({
    url: asText(one.url) ?? '',
    binding: asText(one.transport) ?? 'JSONRPC',
    version,
  }));
  const first = main ? [{ url: main, binding: asText(card.preferredTransport) ?? 'JSONRPC', version }] : [];
  return [
    ...first,
    ...rest.filter(({ url, binding }) => url !== first[0]?.url || binding !== first[0]?.binding),
  ];
}

/** A card that names its interfaces in both ways keeps those of 1.0. */
export function cardTo10(card: LooseRecord): LooseRecord {
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
export function cardTo03(card: LooseRecord): LooseRecord {
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
export function withLists(card: LooseRecord): LooseRecord {
  return { defaultInputModes: [], defaultOutputModes: [], skills: [], ...card };
}

function commonCapabilities(capabilities: unknown): LooseRecord {
  if (!isRecord(capabilities)) return {};
  const { streaming, pushNotifications, extensions, extendedAgentCard } = capabilities;
  return present({
    streaming,
    pushNotifications,
    extensions,
    extendedAgentCard: extendedAgentCard === true || undefined,
  });
}

/* What a caller must show: 0.3 says it by a `type` and plain lists, 1.0 and all protobuf by the member that is set. */
const MEMBER_OF: Readonly<Record<string, string>> = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
};

export function schemesTo10(schemes: unknown): LooseRecord | undefined {
  if (!isRecord(schemes)) return undefined;
  return mapped(schemes, (scheme) => {
    if (!isRecord(scheme)) return scheme;
    const { type, in: location, ...rest } = scheme;
    const member = MEMBER_OF[String(type)];
    return member ? { [member]: present({ ...rest, location }) } : scheme;
  });
}

export function schemesTo03(schemes: unknown): LooseRecord | undefined {
  if (!isRecord(schemes)) return undefined;
  return mapped(schemes, (scheme) => {
    if (!isRecord(scheme)) return scheme;
    const type = Object.keys(MEMBER_OF).find((name) => isRecord(scheme[MEMBER_OF[name] ?? '']));
    if (!type) return scheme;
    const { location, ...rest } = scheme[MEMBER_OF[type] ?? ''] as LooseRecord;
    return present({ type, ...rest, in: location });
  });
}

export function requirementsTo10(requirements: unknown): LooseRecord[] | undefined {
  if (!Array.isArray(requirements)) return undefined;
  return asRecords(requirements).map((one) =>
    isRecord(one.schemes) ? one : { schemes: mapped(one, (list) => ({ list })) },
  );
}

export function requirementsTo03(requirements: unknown): LooseRecord[] | undefined {
  if (!Array.isArray(requirements)) return undefined;
  return asRecords(requirements).map((one) =>
    isRecord(one.schemes)
      ? mapped(one.schemes, (scopes) => (isRecord(scopes) && Array.isArray(scopes.list) ? scopes.list : []))
      : one,
  );
}

function mapped(named: LooseRecord, change: (value: unknown) => unknown): LooseRecord {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value)]));
}
