/** One way to write an Atlas: members in the order in which people read them, short values on one line. */
import { isRecord } from '../../../../kernel/json/loose.ts';
import { type AtlasManifest, atlasManifestSchema, policySchema } from '../schema.ts';

const WIDTH = 110;

/** Members of the manifest, a policy and an action in the order of their schemas; others stay behind them as they are. */
const ORDERS: readonly (readonly string[])[] = [
  ['$schema', ...Object.keys(atlasManifestSchema.shape)],
  Object.keys(policySchema.shape),
  ['action_id', 'name', 'description', 'risk_tier', 'idempotent', 'requires_confirmation', 'executor'],
  ['name', 'action_id', 'agent_id', 'parameters', 'context', 'expect', 'policy_id'],
] satisfies (keyof AtlasManifest | string)[][];

export function formatManifest(value: unknown): string {
  return `${written(value, 0)}\n`;
}

function written(value: unknown, depth: number): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return flat;
  const inside = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0 || fits(value, depth)) return spaced(value);
    return `[\n${value.map((item) => inside + written(item, depth + 1)).join(',\n')}\n${end}]`;
  }
  const entries = ordered(value as Record<string, unknown>);
  if (entries.length === 0 || (depth > 0 && fits(value, depth))) return spaced(Object.fromEntries(entries));
  return `{\n${entries
    .map(([name, member]) => `${inside}${JSON.stringify(name)}: ${written(member, depth + 1)}`)
    .join(',\n')}\n${end}}`;
}

function fits(value: object, depth: number): boolean {
  return spaced(value).length + 2 * depth <= WIDTH && nesting(value) <= 3;
}

/** On one line, with a space where people put one. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = ordered(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function nesting(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(nesting));
}

function ordered(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  const marks = [
    ['atlas_version'],
    ['policy_id', 'type'],
    ['action_id', 'description'],
    ['action_id', 'expect'],
  ];
  const at = marks.findIndex((names) => names.every((name) => Object.hasOwn(record, name)));
  const order = ORDERS[at] ?? [];
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(record).sort(([a], [b]) => rank(a) - rank(b));
}
