/** What is said of a peer when it is registered, and what is shown of it. */
import { z } from 'zod';

export const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const count = z.int().min(1).max(1_000_000).optional();

const peerSettingsSchema = z.object({
  role: z.enum(['orchestrator', 'planner', 'validator', 'worker', 'deployer']).optional(),
  access: z
    .enum(['key', 'open'])
    .optional()
    .describe('`open` accepts callers without a credential; only on a server bound to loopback.'),
  version: z
    .enum(['0.3', '1.0'])
    .optional()
    .describe('The A2A version of the peer, if its card does not say.'),
  push: z
    .enum(['pass', 'interpose'])
    .optional()
    .describe('`interpose` routes push notifications through the relay.'),
  governed: z.boolean().optional().describe('A CARP resolution must allow each message.'),
  governed_action: z
    .string()
    .max(255)
    .optional()
    .describe('The Atlas action that stands for sending to this peer; makes it governed as well.'),
  deposit: z.boolean().optional().describe('A completed task leaves a handoff package.'),
  timeout_seconds: z.int().min(1).max(3600).optional(),
  idle_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe('How long a stream may be silent between two pieces.'),
  retries: z
    .int()
    .min(0)
    .max(5)
    .optional()
    .describe('How often a request that certainly did nothing at the peer is sent again; 2 if absent.'),
  max_concurrent: count.describe('Exchanges at a time, in each process.'),
  max_concurrent_per_caller: count.describe('Exchanges of one caller at a time, in each process.'),
  rate_per_minute: count.describe('Exchanges a minute, over all processes.'),
  rate_per_minute_per_caller: count.describe('Exchanges of one caller a minute, over all processes.'),
  ca: z
    .string()
    .max(100_000)
    .optional()
    .describe('PEM certificates that the certificate of the peer may rest on, instead of the usual ones.'),
});
export type PeerSettings = z.infer<typeof peerSettingsSchema>;

/** Goes into a header as it is. */
const headerText = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'visible ASCII characters only');
const pem = z.string().min(1).max(100_000);

export const credentialSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bearer'), token: headerText }),
  z.object({
    type: z.literal('api_key'),
    key: headerText,
    in: z.enum(['header', 'query']).optional(),
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .describe('`X-API-Key` if absent.'),
  }),
  z.object({
    type: z.literal('oauth2'),
    token_url: z.url({ protocol: /^https?$/ }).max(2048),
    client_id: headerText,
    client_secret: headerText,
    scope: headerText.optional(),
    audience: headerText.optional(),
    auth: z
      .enum(['basic', 'body'])
      .optional()
      .describe('Where the token endpoint expects the secret; `basic` if absent.'),
  }),
  z.object({
    type: z.literal('mtls'),
    certificate: pem.describe('PEM, with the certificates between it and its root.'),
    key: pem.describe('PEM, without a passphrase.'),
  }),
]);
export type PeerCredential = z.infer<typeof credentialSchema>;

export const CREDENTIAL_TYPES = ['bearer', 'api_key', 'oauth2', 'mtls'] as const;

export const newPeerSchema = peerSettingsSchema.extend({
  id: z.string().regex(AGENT_NAME),
  url: z
    .url({ protocol: /^(https?|grpcs?)$/ })
    .max(2048)
    .describe('`grpc://` and `grpcs://` are for agents that have no other address.'),
  credential: credentialSchema
    .nullish()
    .describe(
      'How the relay identifies itself to the peer, in place of what callers send. Kept sealed and never shown. Absent: as it is, unless the address moves to another host; null: none.',
    ),
});
export type NewPeer = z.infer<typeof newPeerSchema>;

const healthSchema = z.object({
  state: z.enum(['unknown', 'healthy', 'failing']),
  failures_in_a_row: z.int(),
  last_ok_at: z.string().nullable(),
  last_failure_at: z.string().nullable(),
  last_failure: z.string().nullable().describe('The class of the failure.'),
});
export type HealthView = z.infer<typeof healthSchema>;

const interfaceSchema = z.object({ binding: z.string(), version: z.string(), url: z.string() });

export const peerSchema = peerSettingsSchema.extend({
  id: z.string(),
  url: z.string(),
  source: z.enum(['setting', 'call']),
  credential: z
    .object({ type: z.enum(CREDENTIAL_TYPES), set_at: z.string(), set_by: z.string() })
    .optional()
    .describe('That there is one, and of what kind.'),
  health: healthSchema.describe('As this process has seen it.'),
  interfaces: z.array(interfaceSchema).optional(),
  name: z.string().optional(),
  card_error: z.string().optional(),
});
export type PeerView = z.infer<typeof peerSchema>;
