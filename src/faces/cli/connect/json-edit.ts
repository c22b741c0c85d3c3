/** Changes one member of a JSON text with comments, and not a character of the rest. */
import { type JsonDocument, readDocument } from '../../../kernel/json/reader.ts';
import type { MemberSpan } from '../../../kernel/json/scanner.ts';
import { connectErrors } from './errors.ts';

interface ObjectSpan {
  readonly open: number;
  readonly close: number;
  readonly members: ReadonlyMap<string, MemberSpan>;
}

/** The text with the member at `path` set; objects on the way are made where they are missing. */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const masked = maskJson(text);
  let object = topLevel(masked);
  for (const [depth, key] of path.entries()) {
    const member = object.members.get(key);
    const rest = path.slice(depth + 1);
    if (!member) return insert(text, masked, object, key, nested(rest, value), depth);
    if (rest.length === 0) return replaceValue(text, masked, member, value, depth);
    object = objectIn(masked, member, path.slice(0, depth + 1));
  }
  return text;
}

/** The text without the member at `path`; unchanged where there is none. */
export function removeMember(text: string, path: readonly string[]): string {
  const masked = maskJson(text);
  let object = topLevel(masked);
  for (const [depth, key] of path.entries()) {
    const member = object.members.get(key);
    if (!member) return text;
    if (depth === path.length - 1) return cut(text, masked, object, member);
    object = objectIn(masked, member, path.slice(0, depth + 1));
  }
  return text;
}

/** Where the member at `path` is; undefined where there is none. */
export function memberSpan(text: string, path: readonly string[]): MemberSpan | undefined {
  const masked = maskJson(text);
  let object = topLevel(masked);
  for (const [depth, key] of path.entries()) {
    const member = object.members.get(key);
    if (!member || depth === path.length - 1) return member;
    object = objectIn(masked, member, path.slice(0, depth + 1));
  }
  return undefined;
}

export function memberAt(text: string, path: readonly string[]): unknown {
  const { strict } = maskJson(text);
  topLevel({ strict, withoutComments: strict });
  let value: unknown = JSON.parse(strict);
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function topLevel({ strict }: MaskedJson): ObjectSpan {
  const start = strict.search(/\S/);
  return objectBetween(strict, start, strict.trimEnd().length, 'The file');
}

function objectIn({ strict }: MaskedJson, member: MemberSpan, path: readonly string[]): ObjectSpan {
  return objectBetween(strict, member.valueStart, member.valueEnd, `\`${path.join('.')}\``);
}

function objectBetween(strict: string, start: number, end: number, what: string): ObjectSpan {
  let document: JsonDocument;
  try {
    document = readDocument(strict.slice(start, end));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw connectErrors.config_unusable({ message: `${what} is not JSON: ${reason}`, cause });
  }
  if (strict[start] !== '{') throw connectErrors.config_unusable({ message: `${what} is no JSON object.` });
  const members = new Map(
    [...document.members].map(([key, { keyStart, valueStart, valueEnd }]) => [
      key,
      { keyStart: keyStart + start, valueStart: valueStart + start, valueEnd: valueEnd + start },
    ]),
  );
  return { open: start, close: end - 1, members };
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function replaceValue(
  text: string,
  { strict }: MaskedJson,
  { keyStart, valueStart, valueEnd }: MemberSpan,
  value: unknown,
  depth: number,
): string {
  const present: unknown = JSON.parse(strict.slice(valueStart, valueEnd));
  if (JSON.stringify(present) === JSON.stringify(value)) return text;
  const indent = ownIndent(text, keyStart) ?? unitOf(text).repeat(depth + 1);
  return text.slice(0, valueStart) + written(text, value, indent) + text.slice(valueEnd);
}

function insert(
  text: string,
  masked: MaskedJson,
  { open, close, members }: ObjectSpan,
  key: string,
  value: unknown,
  depth: number,
): string {
  const last = [...members.values()].at(-1);
  const indent = last ? ownIndent(text, last.keyStart) : unitOf(text).repeat(depth + 1);
  const name = JSON.stringify(key);
  if (last && indent === undefined) {
    return `${text.slice(0, last.valueEnd)}, ${name}: ${JSON.stringify(value)}${text.slice(last.valueEnd)}`;
  }
  const eol = eolOf(text);
  const line = `${eol}${indent}${name}: ${written(text, value, indent ?? '')}`;
  const contentEnd = open + 1 + text.slice(open + 1, close).trimEnd().length;
  const before = text.slice(0, contentEnd);
  const space = text.slice(contentEnd, close);
  const after = `${/[\n\r]/.test(space) ? space : eol + unitOf(text).repeat(depth)}${text.slice(close)}`;
  if (!last) return before + line + after;
  if (commaAfter(masked, last.valueEnd) !== undefined) return `${before}${line},${after}`;
  return `${text.slice(0, last.valueEnd)},${text.slice(last.valueEnd, contentEnd)}${line}${after}`;
}

function cut(text: string, masked: MaskedJson, { open, close, members }: ObjectSpan, member: MemberSpan) {
  const comma = commaAfter(masked, member.valueEnd);
  const from = open + 1 + text.slice(open + 1, member.keyStart).trimEnd().length;
  const to = comma === undefined ? member.valueEnd : comma + 1;
  if (members.size === 1) {
    const left = text.slice(open + 1, from) + text.slice(to, close);
    return text.slice(0, open + 1) + (left.trim() === '' ? '' : left) + text.slice(close);
  }
  const head = text.slice(0, from);
  if (comma !== undefined) return head + text.slice(to);
  const lastComma = masked.withoutComments.lastIndexOf(',', member.keyStart);
  return head.slice(0, lastComma) + head.slice(lastComma + 1) + text.slice(to);
}

function commaAfter({ withoutComments }: MaskedJson, end: number): number | undefined {
  const at = end + withoutComments.slice(end).search(/\S/);
  return withoutComments[at] === ',' ? at : undefined;
}

function written(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eolOf(text) + indent);
}

/** The white space before a place that begins its line; undefined for one that does not. */
export function ownIndent(text: string, at: number): string | undefined {
  return /(?:^|[\n\r])([ \t]*)$/.exec(text.slice(0, at))?.[1];
}

export function unitOf(text: string): string {
  return /[\n\r]([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** JSON with comments and trailing commas, seen as strict JSON with every character in its place. */
interface MaskedJson {
  /** Comments are blanked; trailing commas remain. */
  readonly withoutComments: string;
  /** Strict JSON. */
  readonly strict: string;
}

/** A string, a line comment, a block comment, or a comma. An open end swallows the rest. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;

export function maskJson(text: string): MaskedJson {
  const withoutComments = text
    .replace(/^\uFEFF/, ' ')
    .replace(TOKENS, (token) => (token.startsWith('"') ? token : blank(token)));
  // Commas inside strings must be skipped, so strings are matched as a whole again.
  const strict = withoutComments.replace(/"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])/g, (token) =>
    token === ',' ? ' ' : token,
  );
  return { withoutComments, strict };
}

function blank(comment: string): string {
  return comment.replace(/[^\n\r]/g, ' ');
}
