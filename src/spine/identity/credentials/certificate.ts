import type { X509Certificate } from 'node:crypto';
import type { Micros } from '../../../kernel/clock.ts';
import { globMatcher } from '../../../kernel/glob.ts';
import { identityErrors } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { type CertificateRule, DEFAULT_PROJECT } from '../settings.ts';
import { principalFrom } from './grant.ts';

/** A client certificate whose private key the TLS handshake has proved. */
export interface PeerCertificate {
  /** SHA-256, 64 hex digits. */
  readonly fingerprint: string;
  /** The chain leads to a CA that the server was given. */
  readonly authorized: boolean;
  readonly commonName?: string | undefined;
  readonly uris: readonly string[];
  readonly dnsNames: readonly string[];
  readonly notBefore: Micros;
  readonly notAfter: Micros;
}

export function readPeerCertificate(certificate: X509Certificate, authorized: boolean): PeerCertificate {
  const names = alternativeNames(certificate.subjectAltName ?? '');
  const commonNames = [...(certificate.subject ?? '').matchAll(/^CN=(.+)$/gm)].map((match) => match[1]);
  return {
    fingerprint: readFingerprint(certificate.fingerprint256) ?? '',
    authorized,
    commonName: commonNames.length === 1 ? commonNames[0] : undefined,
    uris: names.filter((name) => name.type === 'URI').map((name) => name.value),
    dnsNames: names.filter((name) => name.type === 'DNS').map((name) => name.value),
    notBefore: Date.parse(certificate.validFrom) * 1000,
    notAfter: Date.parse(certificate.validTo) * 1000,
  };
}

/** `URI:a, DNS:"b, c"`: a value that holds a separator is quoted, so that it cannot pose as two names. */
function alternativeNames(text: string): { readonly type: string; readonly value: string }[] {
  return [...text.matchAll(/([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/gy)].map(
    ([, type = '', value = '']) => ({
      type,
      value: value.startsWith('"') ? String(JSON.parse(value)) : value,
    }),
  );
}

/** With or without colons, in any case; undefined if it is not a SHA-256 fingerprint. */
export function readFingerprint(text: string): string | undefined {
  const hex = text.replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(hex) ? hex : undefined;
}

export function isValidAt(certificate: PeerCertificate, now: Micros): boolean {
  return certificate.notBefore <= now && now <= certificate.notAfter;
}

/** The first rule whose every given name matches. Only certificates of the server's own CA are looked at. */
export function principalByRule(
  rules: readonly CertificateRule[],
  certificate: PeerCertificate,
): Principal | undefined {
  if (!certificate.authorized) return undefined;
  for (const rule of rules) {
    const matched = matchedName(rule, certificate);
    if (matched === undefined) continue;
    return principalFrom(
      {
        actor: { id: rule.actorId ?? matched, type: rule.actorType },
        scopes: rule.scopes,
        projects: rule.projects,
        defaultProject:
          rule.defaultProject ?? (rule.projects === 'all' ? DEFAULT_PROJECT : firstOf(rule.projects)),
        speaksFor: rule.speaksFor ?? [],
      },
      { kind: 'mtls', id: certificate.fingerprint },
    );
  }
  return undefined;
}

function matchedName(rule: CertificateRule, certificate: PeerCertificate): string | undefined {
  const found: string[] = [];
  for (const [pattern, names] of [
    [rule.uri, certificate.uris],
    [rule.dnsName, certificate.dnsNames],
    [rule.commonName, certificate.commonName === undefined ? [] : [certificate.commonName]],
  ] as const) {
    if (pattern === undefined) continue;
    const name = names.find(globMatcher(pattern));
    if (name === undefined) return undefined;
    found.push(name);
  }
  return found[0];
}

function firstOf(projects: readonly string[]): string {
  const first = projects[0];
  if (first === undefined) throw identityErrors.unauthorized();
  return first;
}
