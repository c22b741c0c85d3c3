import { z } from 'zod';
import { type Role, roles } from './roles.ts';

const actorTypeSchema = z.enum(['human', 'agent', 'script']);

const instant = z.string().describe('RFC 3339, UTC.');
const projectList = z.array(z.string().min(1)).min(1).describe('Project ids; `*` alone means all of them.');
const speaksForList = z
  .array(z.string().min(1).max(255))
  .describe('Actors that the credential may name instead of its own, as globs.');

export const keySchema = z.object({
  key_id: z.string(),
  kind: z.enum(['owner', 'key', 'mtls']),
  label: z.string().nullable(),
  actor_id: z.string(),
  actor_type: actorTypeSchema,
  scopes: z.array(z.string()),
  projects: projectList,
  default_project: z.string(),
  speaks_for: speaksForList,
  created_at: instant,
  created_by: z.string(),
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  last_used_at: instant.nullable().describe('To the hour.'),
});

export const newKeySchema = z.strictObject({
  actor_id: z.string().min(1).max(255).describe('The actor that uses the key.'),
  actor_type: actorTypeSchema,
  display_name: z.string().min(1).max(200).optional().describe('How the actor is shown.'),
  label: z.string().max(200).optional().describe('What the key is for.'),
  role: z
    .enum(Object.keys(roles) as [Role, ...Role[]])
    .optional()
    .describe('A named set of scopes; defaults to the role of the actor type if no scopes are given either.'),
  scopes: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Scopes in addition to those of the role. Without a role, these are all that the key has.'),
  projects: projectList
    .optional()
    .describe('The projects the key may see; defaults to the caller’s default project.'),
  default_project: z.string().min(1).optional().describe('The project meant by paths that name none.'),
  speaks_for: speaksForList
    .max(100)
    .optional()
    .describe(
      'Other actors that the key may name as the one who acts, as globs (`*` any characters, `?` one). For a gateway, a hook or a relay; only a person who proved presence can grant it.',
    ),
  expires_at: instant.optional(),
  certificate: z
    .string()
    .optional()
    .describe(
      'SHA-256 fingerprint of a client certificate to bind to the actor instead of creating a secret.',
    ),
});

export const createdKeySchema = keySchema.extend({
  token: z.string().optional().describe('The key itself, shown only this once.'),
});

export const keyListQuery = z.object({
  limit: z.number().int().min(1).max(200).optional(),
  after: z.string().optional().describe('The last key of the previous page.'),
  words: z.string().min(1).max(200).optional().describe('Only keys whose actor, label or id contains this.'),
});

export const keyListSchema = z.object({
  keys: z.array(keySchema),
  total: z.int().describe('On all pages together.'),
  next: z.string().nullable().describe('The `after` of the next page; null after the last.'),
});

export const whoamiSchema = z.object({
  actor_id: z.string(),
  actor_type: actorTypeSchema,
  display_name: z.string().nullable(),
  scopes: z.array(z.string()),
  projects: z.array(z.string()).describe('`*` alone means all.'),
  default_project: z.string(),
  owner: z.boolean().describe('The owner key, or a login made from it.'),
  speaks_for: speaksForList,
  credential: z.object({
    kind: z.enum(['owner', 'key', 'jwt', 'mtls', 'dashboard', 'login', 'signature', 'oauth']),
    id: z.string(),
  }),
  present: z.boolean().describe('A person has proved that they are at the keyboard.'),
  passphrase_set: z.boolean().describe('The actor has a passphrase, which proves presence.'),
  passkeys: z
    .number()
    .int()
    .describe('How many passkeys the actor has, which prove presence in the dashboard.'),
});

export const dashboardLinkSchema = z.object({
  path: z.string().describe('Append it to the server’s address. Works once.'),
  link: z.string(),
  expires_at: instant,
});

export const openDashboardSchema = z.strictObject({ link: z.string() });

export const openedDashboardSchema = z.object({
  csrf_token: z
    .string()
    .describe('Given once: keep it, and send it as `X-CSRF-Token` with every change that the cookie makes.'),
  expires_at: instant,
});

export const loginSchema = z.strictObject({ passphrase: z.string().min(1).max(1000) });

export const loggedInSchema = z.object({
  token: z
    .string()
    .optional()
    .describe(
      'A bearer token that proves presence; not given to a dashboard session, which is marked instead.',
    ),
  present_until: instant,
});

export const passphraseSchema = z.strictObject({
  passphrase: z.string().min(1).max(1000),
  current: z
    .string()
    .max(1000)
    .optional()
    .describe('Required if a passphrase is already set, unless presence is proved.'),
});

/** Filled in by browsers, which let no page change it. */
export const pageHeaders = z.object({
  origin: z.string().max(500).optional().describe('The page’s own address; browsers send it.'),
});

const binary = z.string().max(20_000).describe('base64url');

/** What a browser answers, in the JSON form of WebAuthn Level 3; `passkey-check.ts` looks at every part of it. */
const answerOf = <T extends z.ZodRawShape>(response: T) =>
  z.object({
    id: z.string().min(1).max(2000),
    rawId: z.string().max(2000),
    type: z.literal('public-key'),
    response: z.object(response),
    clientExtensionResults: z.record(z.string(), z.unknown()),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  });

export const passkeyOptionsSchema = z
  .looseObject({ challenge: z.string() })
  .describe('For the browser: `navigator.credentials`, in JSON form. Works once, within five minutes.');

export const newPasskeySchema = z.strictObject({
  label: z.string().min(1).max(100).optional().describe('What the passkey is on, for your own list.'),
  answer: answerOf({
    clientDataJSON: binary,
    attestationObject: binary,
    transports: z.array(z.string().max(50)).max(10).optional(),
  }).describe('What the browser answered.'),
});

export const passkeyProofSchema = z.strictObject({
  answer: answerOf({
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: binary.optional(),
  }).describe('What the browser answered.'),
});

export const passkeySchema = z.object({
  passkey_id: z.string(),
  label: z.string().nullable(),
  host: z.string().describe('The host name under which it works.'),
  created_at: instant,
  last_used_at: instant.nullable(),
});

export const passkeyListSchema = z.object({ passkeys: z.array(passkeySchema) });

export const presentSchema = z.object({ present_until: instant });

export const doneSchema = z.object({ done: z.literal(true) });
