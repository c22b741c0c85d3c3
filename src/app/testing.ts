/** For tests: settings that no server may start with. */

/** Name, value, and words of what is allowed. */
export const WRONG_ALONE: readonly (readonly [name: string, value: string, allowed: string])[] = [
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
];

/** Half of a group or a contradiction, and a name that the refusal has to mention. */
export const WRONG_TOGETHER: readonly (readonly [env: Record<string, string>, named: string])[] = [
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
];
