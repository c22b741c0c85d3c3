/** The request envelope: who asks for what, checked once where it enters. */
import { AGENT_ROLES } from '../peers/rules.ts';

export interface EnvelopeCheck {
  readonly verified: boolean;
  readonly reason?: string;
  readonly fields: Readonly<Record<string, string>>;
}

const PROTOCOL = 'otel-a2a-relay';
const VERSION = 'v0.4';
const REQUIRED = [
  'protocol',
  'protocol_version',
  'issuer',
  'intended_role',
  'action_class',
  'destructive',
  'host_class',
  'body',
];
const KNOWN = new Set([...REQUIRED, 'o2r_session_id', 'acknowledgment']);

export function acknowledgmentFor(actionClass: string, hostClass: string): string {
  return `I acknowledge that ${actionClass} on ${hostClass} is destructive and cannot be undone.`;
}

export function writeEnvelope(given: {
  readonly issuer: string;
  readonly role: string;
  readonly actionClass: string;
  readonly hostClass: string;
  readonly destructive: boolean;
  readonly body: string;
  readonly sessionId?: string | undefined;
}): string {
  const lines = [
    `protocol: ${PROTOCOL}`,
    `protocol_version: ${VERSION}`,
    `issuer: ${JSON.stringify(given.issuer)}`,
    `intended_role: ${given.role}`,
    `action_class: ${JSON.stringify(given.actionClass)}`,
    `destructive: ${given.destructive}`,
    `host_class: ${JSON.stringify(given.hostClass)}`,
    ...(given.sessionId === undefined ? [] : [`o2r_session_id: ${JSON.stringify(given.sessionId)}`]),
    ...(given.destructive
      ? [`acknowledgment: ${JSON.stringify(acknowledgmentFor(given.actionClass, given.hostClass))}`]
      : []),
    'body: |',
    ...given.body.split('\n').map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function checkEnvelope(
  text: string,
  trust: { readonly issuers: readonly string[]; readonly hosts: readonly string[] },
): EnvelopeCheck {
  const fields = readFlatYaml(text);
  if (!fields) return { verified: false, reason: 'It does not parse as a flat YAML mapping.', fields: {} };
  const fault = faultIn(fields, trust);
  return fault === undefined ? { verified: true, fields } : { verified: false, reason: fault, fields };
}

function faultIn(
  fields: Readonly<Record<string, string>>,
  trust: { readonly issuers: readonly string[]; readonly hosts: readonly string[] },
): string | undefined {
  const unknown = Object.keys(fields).find((name) => !KNOWN.has(name));
  if (unknown) return `The field ${unknown} is not known.`;
  const missing = REQUIRED.find((name) => !fields[name]);
  if (missing) return `The field ${missing} is missing.`;
  const { destructive, action_class: action = '', host_class: host = '', acknowledgment } = fields;
  if (fields.protocol !== PROTOCOL) return 'The protocol is another.';
  if (fields.protocol_version !== VERSION) return 'The protocol version is not known.';
  if (!(AGENT_ROLES as readonly string[]).includes(fields.intended_role ?? ''))
    return 'The intended role is none of the roles.';
  if (destructive !== 'true' && destructive !== 'false') return 'destructive is neither true nor false.';
  if (destructive === 'true' && acknowledgment !== acknowledgmentFor(action, host))
    return 'The acknowledgment is not the exact sentence.';
  if (destructive === 'false' && acknowledgment !== undefined)
    return 'Only a destructive request carries an acknowledgment.';
  if (trust.hosts.length > 0 && !trust.hosts.includes(host)) return 'The host class is not known.';
  return trust.issuers.includes(fields.issuer ?? '') ? undefined : 'The issuer is not trusted.';
}

/** `name: value` lines, quoted or plain, and `name: |` with an indented block. Anything else does not parse. */
function readFlatYaml(text: string): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (line.trim() === '' || line.startsWith('#') || line === '---') continue;
    const match = /^([a-z0-9_]+):(?: +(.*))?$/.exec(line);
    if (!match || (match[1] as string) in fields) return undefined;
    const [, name, value = ''] = match as unknown as [string, string, string?];
    if (value === '|') {
      const block: string[] = [];
      while (at + 1 < lines.length && /^( {2}|$)/.test(lines[at + 1] as string))
        block.push((lines[++at] as string).slice(2));
      fields[name] = block.join('\n').trimEnd();
      continue;
    }
    const scalar = readScalar(value.trim());
    if (scalar === undefined) return undefined;
    fields[name] = scalar;
  }
  return fields;
}

function readScalar(value: string): string | undefined {
  if (value.startsWith("'"))
    return /^'(?:[^']|'')*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : undefined;
  if (!value.startsWith('"')) return /^[[{&*!|>%@`]/.test(value) ? undefined : value;
  try {
    return String(JSON.parse(value));
  } catch {
    return undefined;
  }
}
