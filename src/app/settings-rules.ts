import { nearest } from '../kernel/nearest.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One setting without which another means nothing. */
export interface Needs {
  readonly name: string;
  readonly needs: readonly string[];
}

const needs = (name: string, ...others: readonly string[]): Needs => ({ name, needs: others });

/** Half of a group would be passed over in silence: a server without TLS, a key that nobody checks. */
const GROUPS: readonly Needs[] = [
  needs('BATON_TLS_CERT', 'BATON_TLS_KEY'),
  needs('BATON_TLS_KEY', 'BATON_TLS_CERT'),
  needs('BATON_TLS_CLIENT_CA', 'BATON_TLS_CERT', 'BATON_TLS_KEY'),
  needs('BATON_JWT_ISSUER', 'BATON_JWT_JWKS_URL'),
  needs('BATON_JWT_JWKS_URL', 'BATON_JWT_ISSUER'),
  needs('BATON_JWT_AUDIENCE', 'BATON_JWT_ISSUER', 'BATON_JWT_JWKS_URL'),
  needs('BATON_JWT_SPEAKS_FOR_CLAIM', 'BATON_JWT_ISSUER', 'BATON_JWT_JWKS_URL'),
  needs('BATON_MCP_ISSUER', 'BATON_JWT_ISSUER', 'BATON_JWT_JWKS_URL'),
  needs('BATON_EMBEDDER', 'BATON_EMBEDDER_URL', 'BATON_EMBEDDER_MODEL'),
  needs('BATON_EMBEDDER_URL', 'BATON_EMBEDDER'),
  needs('BATON_EMBEDDER_MODEL', 'BATON_EMBEDDER'),
  needs('BATON_EMBEDDER_KEY', 'BATON_EMBEDDER'),
  needs('BATON_PROPOSER', 'BATON_PROPOSER_URL', 'BATON_PROPOSER_MODEL'),
  needs('BATON_PROPOSER_URL', 'BATON_PROPOSER'),
  needs('BATON_PROPOSER_MODEL', 'BATON_PROPOSER'),
  needs('BATON_PROPOSER_KEY', 'BATON_PROPOSER'),
];

const CONTRADICTIONS: readonly (readonly [one: string, other: string, why: string])[] = [
  ['BATON_PAYLOAD_KEYS', 'BATON_PAYLOAD_KEY_FILE', 'keys come from one place'],
  ['BATON_TLS_CERT', 'BATON_BEHIND_PROXY', 'TLS ends either here or at the proxy'],
];

export interface SettingProblem {
  readonly name: string;
  readonly problem: string;
}

/** What settings say together that none of them says alone. */
export function problemsTogether(env: Environment): SettingProblem[] {
  const isSet = (name: string) => Boolean(env[name]) && env[name] !== '0';
  const half = GROUPS.filter(({ name }) => isSet(name)).flatMap(({ name, needs: others }) => {
    const missing = others.filter((other) => !isSet(other));
    return missing.length === 0 ? [] : [{ name, problem: `means nothing without ${missing.join(' and ')}` }];
  });
  const against = CONTRADICTIONS.filter(([one, other]) => isSet(one) && isSet(other)).map(
    ([name, other, why]) => ({ name, problem: `contradicts ${other}: ${why}; set one of them` }),
  );
  return [...half, ...against];
}

/** For our own tests and benches, and what commands read elsewhere. */
const NOT_SETTINGS =
  /^BATON_(TEST|BENCH|WRITE|PROVE|CORPORA|CORPUS|SEED|SESSION|HOOK_WAIT|CLIENTS|BINARY)(_|$)/;

/** Variables that look like settings and are none: a misspelled one would change nothing, unseen. */
export function unknownSettings(env: Environment, known: readonly string[]): SettingProblem[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('BATON_') && !NOT_SETTINGS.test(name) && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return {
        name,
        problem: meant === undefined ? 'is no setting' : `is no setting; did you mean ${meant}?`,
      };
    });
}
