import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BatonError } from '../kernel/error.ts';
import { RELAY_VARIABLES } from '../slices/relay/variables.ts';
import { readSettings, unknownIn } from './settings.ts';

function problemsOf(env: Record<string, string>): readonly { name: string; problem: string }[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== 'settings_invalid') throw error;
    return error.details?.settings as { name: string; problem: string }[];
  }
}

describe('a setting that cannot be meant', () => {
  it.each([
    ['BATON_PORT', 'abc', 'a whole number from 0 to 65535'],
    ['BATON_PORT', '70000', 'a whole number from 0 to 65535'],
    ['BATON_PORT', '7373.5', 'a whole number from 0 to 65535'],
    ['BATON_HOST', 'http://here', 'a host name or an IP address'],
    ['BATON_DATABASE_URL', 'mysql://host/name', 'sqlite:PATH or postgres://'],
    ['BATON_DATABASE_CONNECTIONS', '0', 'from 1 to 500'],
    ['BATON_URL', 'localhost:7373', 'http:// or https://'],
    ['BATON_BEHIND_PROXY', 'yes please', '1 or 0'],
    ['BATON_ALLOWED_HOSTS', 'https://baton.example', 'host or host:port'],
    ['BATON_RETENTION_DAYS', 'thirty', 'a number from 1 on'],
    ['BATON_RETENTION_DAYS', '0', 'a number from 1 on'],
    ['BATON_REDACT', 'yes', 'secrets'],
    ['BATON_LENIENT_ATLASES', 'on', '1 or 0'],
    ['BATON_JWT_JWKS_URL', 'keys.json', 'http:// or https://'],
    ['BATON_EMBEDDER', 'olama', 'ollama or openai'],
    ['BATON_PROPOSER', 'claude', 'ollama or openai'],
    ['BATON_QUOTA_WRITES_PER_DAY', '-1', 'a whole number from 0 on'],
    ['BATON_WORK_SECONDS', 'ten', 'a number from 0.1 on'],
    ['BATON_WORK_MB', '1GB', 'a whole number from 1 on'],
    ['BATON_MCP_TOOLS', 'everything', 'core or all'],
    ['BATON_LOG', 'verbose', 'trace or debug or info'],
    ['BATON_A2P_READS_PER_HOUR', 'many', 'a whole number from 1 on'],
  ])('is refused by name, with what is allowed: %s=%s', (name, value, allowed) => {
    const found = problemsOf({ [name]: value }).find((problem) => problem.name === name);
    expect(found?.problem).toContain(allowed);
  });

  it.each([
    [{ BATON_TLS_CERT: 'c.pem' }, 'BATON_TLS_KEY'],
    [{ BATON_TLS_KEY: 'k.pem' }, 'BATON_TLS_CERT'],
    [{ BATON_JWT_ISSUER: 'https://issuer' }, 'BATON_JWT_JWKS_URL'],
    [{ BATON_JWT_AUDIENCE: 'baton' }, 'BATON_JWT_ISSUER'],
    [{ BATON_MCP_ISSUER: 'https://issuer' }, 'BATON_JWT_ISSUER'],
    [{ BATON_EMBEDDER: 'ollama' }, 'BATON_EMBEDDER_URL and BATON_EMBEDDER_MODEL'],
    [{ BATON_EMBEDDER_KEY: 'secret' }, 'BATON_EMBEDDER'],
    [{ BATON_PROPOSER: 'openai' }, 'BATON_PROPOSER_URL and BATON_PROPOSER_MODEL'],
    [{ BATON_PROPOSER_KEY: 'secret' }, 'BATON_PROPOSER'],
    [{ BATON_PAYLOAD_KEYS: 'a', BATON_PAYLOAD_KEY_FILE: 'b' }, 'BATON_PAYLOAD_KEY_FILE'],
    [{ BATON_TLS_CERT: 'c', BATON_TLS_KEY: 'k', BATON_BEHIND_PROXY: '1' }, 'BATON_BEHIND_PROXY'],
  ])('is refused where others it needs are missing, or contradict it: %j', (env, named) => {
    const [first] = problemsOf(env as Record<string, string>);
    expect(first?.problem).toContain(named);
  });

  it('is told together with all others, and never shown where it may be a secret', () => {
    const found = problemsOf({
      BATON_PORT: 'x',
      BATON_LOG: 'y',
      BATON_DATABASE_URL: 'mysql://u:hunter2@h/n',
    });
    expect(found.map(({ name }) => name).sort()).toEqual(['BATON_DATABASE_URL', 'BATON_LOG', 'BATON_PORT']);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('that is empty is not set', () => {
    expect(readSettings({ BATON_PORT: '', BATON_REDACT: ' ', BATON_TLS_CERT: '' })).toMatchObject({
      port: 7373,
      redact: { secrets: false },
      tls: undefined,
    });
  });
});

describe('a variable that is no setting', () => {
  it('is known, with the name that was meant', () => {
    expect(
      unknownIn({ BATON_PROT: '80', BATON_RELAY_TIMOUT_SECONDS: '1', BATON_PORT: '80', HOME: '/' }),
    ).toEqual([
      { name: 'BATON_PROT', problem: 'is no setting; did you mean BATON_PORT?' },
      {
        name: 'BATON_RELAY_TIMOUT_SECONDS',
        problem: 'is no setting; did you mean BATON_RELAY_TIMEOUT_SECONDS?',
      },
    ]);
  });

  it('is not one that the relay reads', () => {
    const source = readFileSync('src/slices/relay/settings.ts', 'utf8');
    const named = new Set([...source.matchAll(/BATON_RELAY_[A-Z_]+/g)].map(([name]) => name));
    expect([...named].sort()).toEqual([...RELAY_VARIABLES].sort());
  });
});
