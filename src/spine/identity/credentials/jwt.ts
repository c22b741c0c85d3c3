import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { isActorId } from '../../../kernel/actor-id.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { BatonError } from '../../../kernel/error.ts';
import { identityErrors } from '../errors.ts';
import type { ActorType, Principal } from '../principal.ts';
import { isScopePattern } from '../scopes.ts';
import { DEFAULT_PROJECT, type JwtIssuerSettings } from '../settings.ts';
import { principalFrom } from './grant.ts';

/** Key-pair signatures only: with a shared secret, whoever can check a token can create one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const TOKEN_FAULTS = new Set([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JOSE_NOT_SUPPORTED',
]);

export type VerifyJwt = (token: string) => Promise<Principal>;

/** Throws `unauthorized` for an invalid token, `issuer_unavailable` if the issuer's keys cannot be fetched. */
export function createJwtVerifier(issuers: readonly JwtIssuerSettings[], clock: Clock): VerifyJwt {
  const keysByIssuer = new Map<string, JWTVerifyGetKey>();

  return async (token) => {
    const jose = await import('jose');
    try {
      const claimed = jose.decodeJwt(token).iss;
      const settings = issuers.find((candidate) => candidate.issuer === claimed);
      if (!settings) throw identityErrors.unauthorized();
      const keys = keysByIssuer.get(settings.issuer) ?? keySource(jose, settings);
      keysByIssuer.set(settings.issuer, keys);
      const { payload } = await jose.jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience: typeof settings.audience === 'string' ? settings.audience : [...settings.audience],
        algorithms: ALGORITHMS,
        clockTolerance: settings.clockToleranceSeconds ?? 30,
        currentDate: new Date(Math.floor(clock.now() / 1000)),
        requiredClaims: ['exp'],
      });
      return principalOfClaims(payload, settings);
    } catch (fault) {
      if (fault instanceof BatonError) throw fault;
      throw identityErrors.unauthorized({ cause: fault });
    }
  };
}

function keySource(jose: typeof import('jose'), settings: JwtIssuerSettings): JWTVerifyGetKey {
  if ('keys' in settings.jwks) {
    return jose.createLocalJWKSet({ keys: settings.jwks.keys.map((key) => ({ ...key }) as never) });
  }
  const remote = jose.createRemoteJWKSet(new URL(settings.jwks.url));
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (fault) {
      if (TOKEN_FAULTS.has((fault as { code?: string }).code ?? '')) throw fault;
      throw identityErrors.issuer_unavailable({ cause: fault });
    }
  };
}

function principalOfClaims(claims: JWTPayload, settings: JwtIssuerSettings): Principal {
  const names = settings.claims ?? {};
  const subject = claims[names.actorId ?? 'sub'];
  const type = claims[names.actorType ?? 'actor_type'] ?? settings.defaultActorType ?? 'agent';
  if (typeof subject !== 'string' || subject === '' || !isActorType(type))
    throw identityErrors.unauthorized();
  const actorId = `${settings.actorPrefix ?? ''}${subject}`;
  if (!isActorId(actorId)) throw identityErrors.unauthorized();
  const projects = projectsOf(claims[names.projects ?? 'projects']) ?? settings.defaultProjects ?? [];
  const wanted = claims[names.defaultProject ?? 'default_project'];
  const defaultProject =
    typeof wanted === 'string' ? wanted : projects === 'all' ? DEFAULT_PROJECT : projects[0];
  if (defaultProject === undefined || (projects !== 'all' && !projects.includes(defaultProject))) {
    throw identityErrors.unauthorized();
  }
  return principalFrom(
    {
      actor: { id: actorId, type },
      scopes: scopesOf(claims[names.scopes ?? 'scope'], settings),
      projects,
      defaultProject,
      speaksFor: names.speaksFor === undefined ? [] : wordsOf(claims[names.speaksFor]),
    },
    { kind: 'jwt', id: `${settings.issuer}#${subject}` },
  );
}

function scopesOf(claim: unknown, settings: JwtIssuerSettings): readonly string[] {
  if (claim === undefined) return settings.defaultScopes ?? [];
  return wordsOf(claim).flatMap((word) => {
    if (settings.scopeMap && Object.hasOwn(settings.scopeMap, word)) return settings.scopeMap[word] ?? [];
    return isScopePattern(word) ? [word] : [];
  });
}

function projectsOf(claim: unknown): 'all' | readonly string[] | undefined {
  if (claim === undefined) return undefined;
  return claim === 'all' || claim === '*' ? 'all' : wordsOf(claim);
}

/** `"a b"` and `["a", "b"]` are both in use. */
function wordsOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter(Boolean);
  if (!Array.isArray(claim)) return [];
  return claim.filter((word): word is string => typeof word === 'string' && word !== '');
}

function isActorType(value: unknown): value is ActorType {
  return value === 'human' || value === 'agent' || value === 'script';
}
