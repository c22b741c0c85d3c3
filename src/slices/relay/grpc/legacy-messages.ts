/**
 * The protobuf messages of A2A 0.3, and their JSON. The SDK can encode and decode them, but gives them as objects of a
 * shape of its own: complete, enumerations as numbers, and a choice as `{$case, value}`.
 */
import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';

/** A list has one member: what its items are. */
type Kind =
  | 'text'
  | 'texts'
  | 'int'
  | 'flag'
  | 'struct'
  | 'bytes'
  | 'words'
  | Enumeration
  | Choice
  | Shape
  | List
  | ByName;
type Shape = { readonly [field: string]: Kind | Lazy };
type Lazy = () => Kind;

class Enumeration {
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    this.names = names;
  }
}
/** Of several members at most one is set. */
class Choice {
  readonly cases: Shape;
  constructor(cases: Shape) {
    this.cases = cases;
  }
}
class List {
  readonly of: Shape;
  constructor(of: Shape) {
    this.of = of;
  }
}
class ByName {
  readonly of: Shape;
  constructor(of: Shape) {
    this.of = of;
  }
}

/** How JSON spells a field that the SDK names otherwise. */
const SPELLED: Readonly<Record<string, string>> = { request: 'message', msg: 'message', update: 'message' };

const state = new Enumeration(
  'UNSPECIFIED SUBMITTED WORKING COMPLETED FAILED CANCELLED INPUT_REQUIRED REJECTED AUTH_REQUIRED'
    .split(' ')
    .map((name) => `TASK_STATE_${name}`),
);
const role = new Enumeration(['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT']);
const file: Shape = {
  file: new Choice({ fileWithUri: 'text', fileWithBytes: 'bytes' }),
  mimeType: 'text',
};
const part: Shape = { part: new Choice({ text: 'text', file, data: { data: 'struct' } }) };
const message: Shape = {
  messageId: 'text',
  contextId: 'text',
  taskId: 'text',
  role,
  content: new List(part),
  metadata: 'struct',
  extensions: 'texts',
};
const artifact: Shape = {
  artifactId: 'text',
  name: 'text',
  description: 'text',
  parts: new List(part),
  metadata: 'struct',
  extensions: 'texts',
};
const status: Shape = { state, update: message, timestamp: 'struct' };
const task: Shape = {
  id: 'text',
  contextId: 'text',
  status,
  artifacts: new List(artifact),
  history: new List(message),
  metadata: 'struct',
};
const statusUpdate: Shape = { taskId: 'text', contextId: 'text', status, final: 'flag', metadata: 'struct' };
const artifactUpdate: Shape = {
  taskId: 'text',
  contextId: 'text',
  artifact,
  append: 'flag',
  lastChunk: 'flag',
  metadata: 'struct',
};
const push: Shape = {
  id: 'text',
  url: 'text',
  token: 'text',
  authentication: { schemes: 'texts', credentials: 'text' },
};
const taskPush: Shape = { name: 'text', pushNotificationConfig: push };
const security: Shape = { schemes: new ByName({ list: 'texts' }) };
const flow: Shape = { authorizationUrl: 'text', tokenUrl: 'text', refreshUrl: 'text', scopes: 'words' };
const scheme: Shape = {
  scheme: new Choice({
    apiKeySecurityScheme: { description: 'text', location: 'text', name: 'text' },
    httpAuthSecurityScheme: { description: 'text', scheme: 'text', bearerFormat: 'text' },
    oauth2SecurityScheme: {
      description: 'text',
      flows: {
        flow: new Choice({
          authorizationCode: flow,
          clientCredentials: flow,
          implicit: flow,
          password: flow,
        }),
      },
      oauth2MetadataUrl: 'text',
    },
    openIdConnectSecurityScheme: { description: 'text', openIdConnectUrl: 'text' },
    mtlsSecurityScheme: { description: 'text' },
  }),
};
const card: Shape = {
  protocolVersion: 'text',
  name: 'text',
  description: 'text',
  url: 'text',
  preferredTransport: 'text',
  additionalInterfaces: new List({ url: 'text', transport: 'text' }),
  provider: { url: 'text', organization: 'text' },
  version: 'text',
  documentationUrl: 'text',
  capabilities: {
    streaming: 'flag',
    pushNotifications: 'flag',
    extensions: new List({ uri: 'text', description: 'text', required: 'flag', params: 'struct' }),
  },
  securitySchemes: new ByName(scheme),
  security: new List(security),
  defaultInputModes: 'texts',
  defaultOutputModes: 'texts',
  skills: new List({
    id: 'text',
    name: 'text',
    description: 'text',
    tags: 'texts',
    examples: 'texts',
    inputModes: 'texts',
    outputModes: 'texts',
    security: new List(security),
  }),
  supportsAuthenticatedExtendedCard: 'flag',
  signatures: new List({ protected: 'text', signature: 'text', header: 'struct' }),
};
const named: Shape = { name: 'text' };
const payload = { task, msg: message };

export const LEGACY = {
  nothing: {},
  card,
  task,
  taskPush,
  named,
  getTask: { name: 'text', historyLength: 'int' },
  send: {
    request: message,
    configuration: {
      acceptedOutputModes: 'texts',
      pushNotification: push,
      historyLength: 'int',
      blocking: 'flag',
    },
    metadata: 'struct',
  },
  sent: { payload: new Choice(payload) },
  event: { payload: new Choice({ ...payload, statusUpdate, artifactUpdate }) },
  createPush: { parent: 'text', configId: 'text', config: taskPush },
  listPush: { parent: 'text', pageSize: 'int', pageToken: 'text' },
  pushes: { configs: new List(taskPush), nextPageToken: 'text' },
} as const satisfies Record<string, Shape>;

/** As the SDK has it. Whatever JSON leaves out is there with the value that it stands for. */
export function toLegacyMessage(shape: Shape, json: unknown): LooseRecord {
  const given = isRecord(json) ? json : {};
  return Object.fromEntries(
    Object.entries(shape).map(([field, kind]) => [
      field,
      toField(kind as Kind, kind instanceof Choice ? given : given[SPELLED[field] ?? field]),
    ]),
  );
}

function toField(kind: Kind, value: unknown): unknown {
  if (kind instanceof Choice) {
    const found = Object.entries(kind.cases).find(
      ([name]) => (value as LooseRecord)[SPELLED[name] ?? name] !== undefined,
    );
    if (!found) return undefined;
    const [$case, of] = found;
    return { $case, value: toField(of as Kind, (value as LooseRecord)[SPELLED[$case] ?? $case]) };
  }
  if (kind instanceof Enumeration) return Math.max(kind.names.indexOf(String(value)), 0);
  if (kind instanceof List)
    return (Array.isArray(value) ? value : []).map((item) => toLegacyMessage(kind.of, item));
  if (kind instanceof ByName)
    return Object.fromEntries(
      Object.entries(isRecord(value) ? value : {}).map(([name, one]) => [
        name,
        toLegacyMessage(kind.of, one),
      ]),
    );
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'texts':
      return Array.isArray(value) ? value.map(String) : [];
    case 'int':
      return Number(value ?? 0) || 0;
    case 'flag':
      return value === true;
    case 'bytes':
      return Buffer.from(String(value ?? ''), 'base64');
    case 'words':
      return isRecord(value) ? value : {};
    case 'struct':
      return value ?? undefined;
    default:
      return value === undefined || value === null ? undefined : toLegacyMessage(kind as Shape, value);
  }
}

/** As JSON has it: what has the value that its absence stands for is left out. */
export function fromLegacyMessage(shape: Shape, object: unknown): LooseRecord {
  const given = object as LooseRecord;
  const json: Record<string, unknown> = {};
  for (const [field, kind] of Object.entries(shape)) {
    const value = given[field];
    if (kind instanceof Choice) {
      const { $case, value: chosen } = (value ?? {}) as { $case?: string; value?: unknown };
      const of = $case === undefined ? undefined : kind.cases[$case];
      if ($case !== undefined && of) json[SPELLED[$case] ?? $case] = fromField(of as Kind, chosen);
      continue;
    }
    const found = fromField(kind as Kind, value);
    if (!isAbsent(found)) json[SPELLED[field] ?? field] = found;
  }
  return json;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

function fromField(kind: Kind, value: unknown): unknown {
  if (kind instanceof Enumeration) return kind.names[Number(value)];
  if (kind instanceof List) return (value as unknown[]).map((item) => fromLegacyMessage(kind.of, item));
  if (kind instanceof ByName) {
    const entries = Object.entries(value as LooseRecord);
    const named = entries.map(([name, one]) => [name, fromLegacyMessage(kind.of, one)]);
    return entries.length === 0 ? undefined : Object.fromEntries(named);
  }
  if (kind === 'bytes') return Buffer.from(value as Uint8Array).toString('base64');
  if (typeof kind === 'string' || value === undefined || value === null) return value;
  return fromLegacyMessage(kind as Shape, value);
}
