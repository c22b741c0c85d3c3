/** How cards say what a caller must show: 0.3 by a `type` and plain lists, 1.0 and all protobuf by the member that is set. */
import { asRecords, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';

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
