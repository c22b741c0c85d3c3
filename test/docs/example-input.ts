/** An example of each input that an operation takes, found by its schema: whatever is shown, the parser has accepted. */
import { z } from 'zod';
import type { Operation } from '../../src/spine/operations/define.ts';
import { EXAMPLES } from './examples.ts';

const UUID = '018f4c1e-7a5b-7c3d-9e2f-1a2b3c4d5e6f';
const HASH = 'a3'.repeat(32);
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const USER = 'did:a2p:user:local:ana';
const AGENT = 'did:a2p:agent:local:shop-bot';
const BASE64 = 'c2hvcA==';
const KEY_ID = 'key_1f0c9a2b';
const ED25519 = 'z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';

/** By the name of the input, alone or after that of its operation; where it has several forms, the first that fits. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  issuers: [['baton.example.com+1a2b3c4d+AQID']],
  envelope: ['eyJwYXlsb2FkIjoie30ifQ=='],
  gate: ['qa_ship_verdict'],
  blob: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
  accept: ['application/json'],
  action: ['order.refund'],
  action_id: ['order.refund'],
  actor: ['ana'],
  actor_id: ['shop-bot'],
  after: [42, 'shop', 'key_1f0c9a2b'],
  agent: ['shop-bot'],
  agent_id: ['shop-bot'],
  agentPattern: ['did:a2p:agent:local:*'],
  allow: [['a2p:preferences']],
  allowedCategories: [['a2p:preferences']],
  answer: ['Yes, up to 50 EUR'],
  approver: ['ana'],
  as: ['shop-bot'],
  as_of: ['2026-01-05T12:00:00Z'],
  asserted_by: [{ id: 'ana', type: 'human' }],
  at: ['2026-01-05T12:00:00Z'],
  atlas_id: ['com.example.shop'],
  atlas_ids: [['com.example.shop']],
  attestationObject: [BASE64],
  attribute: ['http.route=/orders'],
  author: ['shop-bot'],
  authenticatorData: [BASE64],
  branch: ['main'],
  ca: ['-----BEGIN CERTIFICATE-----'],
  callsign: ['coral-heron'],
  categories: [['a2p:preferences']],
  category: ['a2p:preferences'],
  certificate: [HASH],
  checkpoints: [['baton.example.com/log\n42\n…']],
  choice: ['eu-west'],
  client: ['claude-code'],
  clientDataJSON: [BASE64],
  commit: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
  compaction: ['2'],
  content: ['Refunds above 50 EUR wait for a person.'],
  content_md: ['Refunds above 50 EUR wait for a person.'],
  content_type: ['text/markdown'],
  context: [{ env: 'test' }, 'work'],
  context_hints: [['refunds']],
  cost_field: ['amount'],
  created_by: [{ id: 'shop-bot', type: 'agent' }, 'shop-bot'],
  current: ['the passphrase until now'],
  cwd: ['/home/ana/shop'],
  data: ['/home/ana/.baton'],
  decision: ['approve', 'allow'],
  decisions_made: [['Refunds above 50 EUR wait for a person, because of the loss in May']],
  default_project: ['shop'],
  delegates: [['ben']],
  deniedCategories: [['a2p:health']],
  deny: [['a2p:health']],
  description: ['What it is about'],
  detail: ['npm test'],
  details: ['The customer waits for an answer.'],
  did: [USER, AGENT],
  digest: [HASH],
  display_name: ['Shop bot'],
  domain: ['support'],
  editedCategory: ['a2p:preferences'],
  editedContent: ['Refunds above 50 EUR wait for a person.'],
  edits: [{ amount: 20 }],
  email: ['ana@example.com'],
  event_type: ['policy.evaluated'],
  events: [['proposal.created']],
  expected_value: ['40 EUR'],
  expires_at: ['2026-12-31T00:00:00Z'],
  export: [{ memories: [] }],
  file: ['backup.jsonl'],
  focus: ['refunds'],
  from: ['2026-01-01'],
  goal: ['Refund order A-17'],
  governed_action: ['peer.send'],
  handoff_note: ['The answer of the bank is still open.'],
  hash: [HASH, `sha256:${HASH}`],
  id: [UUID, 'call_1'],
  head: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
  holder: ['shop-bot'],
  home: ['/home/ana'],
  host: ['shop.example.com'],
  hosts: [['shop.example.com']],
  idempotency_key: ['refund-A-17'],
  'if-match': ['"7"'],
  'if-none-match': [`"${HASH}"`],
  jurisdiction: ['DE'],
  key: ['baton.example.com+1a2b3c4d+AQID'],
  key_id: [KEY_ID],
  keyid: [KEY_ID],
  keys: [['baton.example.com+1a2b3c4d+AQID']],
  kind: ['memory.proposal', 'message', 'reclassification', 'package'],
  label: ['Laptop'],
  language: ['en'],
  left: [TRACE],
  like: ['order.refund'],
  lines: [[{}]],
  link: ['blue-river-4711'],
  memory: [UUID],
  memory_ids: [[UUID, '018f4c1e-7a5b-7c3d-9e2f-1a2b3c4d5e70']],
  memory_type: ['semantic'],
  message: ['The customer wrote again.'],
  model: ['gpt-*'],
  name: ['Shop'],
  note: ['As agreed on Monday'],
  now: ['2026-01-05T12:00:00Z'],
  object: ['A-17'],
  open_questions: [['Does this hold for vouchers?']],
  operator_did: ['did:a2p:org:local:shop'],
  maintainer_did: ['did:a2p:org:local:shop'],
  options: [['Yes', 'No']],
  origin: ['https://baton.example.com'],
  package_type: ['decision'],
  parameters: [{ amount: 20 }],
  passphrase: ['four words that nobody guesses'],
  path: ['src/shop.ts'],
  payload: [BASE64, {}],
  payloadType: ['application/vnd.in-toto+json'],
  peer: ['shop-bot'],
  peer_id: ['shop-bot'],
  permissions: [['read_scoped', 'propose']],
  platform: ['linux'],
  predicate: ['refund_limit'],
  profile: [USER],
  project: ['shop'],
  project_id: ['shop'],
  projects: [['shop']],
  public_key: [ED25519, BASE64],
  purpose: ['To answer the customer'],
  q: ['refunds'],
  query: ['refunds'],
  question: ['Which refunds wait?'],
  rawId: [BASE64],
  reason: ['As agreed on Monday'],
  reference: ['github:example/shop#1'],
  'relay-attestation': [BASE64],
  'relay-content-hash': [HASH],
  'relay-want': ['L2; ext="events/1"'],
  repo: ['github.com/example/shop'],
  requested_by: ['shop-bot'],
  required_capabilities: [['refunds']],
  rest: ['v1/message:send'],
  reviewer: [{ id: 'ana', type: 'human' }],
  right: ['00f067aa0ba902b7a3ce929d0e0e4736'],
  'packages.heads root': [UUID],
  'packages.deposit type': ['code'],
  'packages.write type': ['code'],
  root: ['/home/ana/shop'],
  rule: ['small-refunds'],
  run: ['run_0a1b2c3d'],
  run_id: ['run_0a1b2c3d'],
  scope: ['packages:read', ['work']],
  scopes: [['packages:read'], ['a2p:preferences']],
  session: ['github:example/shop#1'],
  sessions: [[]],
  sig: [BASE64],
  signature: [BASE64],
  since: ['7d', '2026-01-01T00:00:00Z'],
  skill: ['refunds'],
  spec_url: ['https://example.com/categories'],
  speaks_for: [['shop-*']],
  status: ['pending'],
  subject: ['shop'],
  summary: ['Refunds above 50 EUR wait for a person.'],
  tag: ['refunds'],
  tags: [['refunds']],
  task: ['task-17'],
  temporary: ['/tmp'],
  text: ['Refunds above 50 EUR wait for a person.'],
  timezone: ['Europe/Berlin'],
  title: ['Refunds'],
  to: ['ana', ['shop-bot']],
  token: ['the-secret-of-the-peer'],
  tool: ['bash'],
  topic: ['refunds'],
  trace_id: [TRACE],
  transports: [['internal']],
  trustedAgents: [[AGENT]],
  type: ['policy.*', 'standard', ['semantic'], 'md'],
  types: [['policy.*'], ['semantic']],
  until: ['2026-01-06T12:00:00Z'],
  url: ['https://shop.example.com/hook'],
  userDid: [USER],
  userHandle: [BASE64],
  valid_from: ['2026-01-01T00:00:00Z'],
  valid_to: ['2027-01-01T00:00:00Z'],
  value: ['50 EUR'],
  verb: ['git push'],
  version: ['1.0.0'],
  witness_keys: [['witness.example.com+9e8d7c6b+BAUG']],
  words: ['refund'],
};

/** By the end of the name. */
const BY_ENDING: readonly (readonly [string, unknown])[] = [
  ['_id', UUID],
  ['Id', UUID],
  ['cursor', 'urgency.42.7'],
  ['cursor', 'eyJhZnRlciI6NDJ9'],
  ['_at', '2026-01-05T12:00:00Z'],
  ['_hash', HASH],
  ['-head', UUID],
];

/** What says by itself what it is. */
const ANY: readonly unknown[] = [
  UUID,
  '2026-01-05T12:00:00Z',
  '2026-01-05',
  TRACE,
  '00f067aa0ba902b7',
  1,
  true,
  {},
  [],
];

export interface ExampleInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const PARTS = ['path', 'query', 'headers'] as const;

/** Every input is given, unless a written example leaves some out. */
export function exampleOf({ name, input }: Operation): ExampleInput {
  const part = (which: (typeof PARTS)[number]) =>
    (input[which] === undefined ? {} : exampleFor(input[which], which, name)) as Record<string, unknown>;
  const written = EXAMPLES[name];
  return {
    path: part('path'),
    query: part('query'),
    headers: part('headers'),
    body: written ?? (input.body && exampleFor(input.body, 'body', name)),
  };
}

function exampleFor(schema: z.ZodType, name: string, where: string): unknown {
  const found = findExample(schema, name, where);
  if (found === undefined)
    throw new Error(`${where}: no example of ${name}; write one into test/docs/examples.ts`);
  return found;
}

function findExample(schema: z.ZodType, name: string, where: string): unknown {
  const inner = unwrapped(schema);
  const named = BY_NAME[`${where} ${name}`] ?? BY_NAME[name] ?? [];
  const ending = BY_ENDING.flatMap(([end, value]) => (name.endsWith(end) ? [value] : []));
  const known = [...named, ...ending].find((value) => accepts(schema, value));
  if (known !== undefined) return known;
  const made = madeFor(inner, name, where);
  if (made !== undefined && accepts(schema, made)) return made;
  // A text that may be anything is worth an example only where somebody wrote one.
  const isText = inner instanceof z.ZodString && inner.safeParse('…').success;
  return isText ? undefined : ANY.find((value) => accepts(schema, value));
}

function madeFor(schema: z.ZodType, name: string, where: string): unknown {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.ZodType>).filter(
      ([, member]) => !(unwrapped(member) instanceof z.ZodNever),
    );
    return Object.fromEntries(
      members.flatMap(([key, member]) => {
        const example = findExample(member, key, where);
        // What a program fills in for itself is left out where nothing says what it would be.
        return example === undefined && accepts(member, undefined) ? [] : [[key, example]];
      }),
    );
  }
  if (schema instanceof z.ZodArray) {
    const element = findExample(schema.element as z.ZodType, name.replace(/s$/, ''), where);
    return element === undefined ? undefined : [element];
  }
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodUnion) return findExample(schema.options[0] as z.ZodType, name, where);
  if (schema instanceof z.ZodNumber)
    return schema.minValue !== null && schema.minValue > 0 ? schema.minValue : 1;
  return undefined;
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema;
}

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
