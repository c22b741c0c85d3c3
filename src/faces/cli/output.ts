import pc from 'picocolors';
import type { BatonError } from '../../kernel/error.ts';
import { isRecord } from '../../kernel/json/loose.ts';
import { inline, named } from '../../kernel/quoted.ts';
import { visible, visibleJson } from '../../kernel/visible-text.ts';
import { EXIT } from './host.ts';

/** Characters of one text on a terminal: what is to be decided must not be cut, what is hostile must end. */
const MOST = 20_000;
const CELL = 80;

/** Members on lines, lists of alike objects as a table. */
export function forPeople(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}${pc.dim('none')}`;
    return value.every(isRecord)
      ? table(value as Record<string, unknown>[], indent)
      : value.map((v) => `${indent}- ${scalar(v)}`).join('\n');
  }
  if (!isRecord(value)) return `${indent}${scalar(value)}`;
  const width = Math.max(...Object.keys(value).map((key) => named(key).length), 0);
  return Object.entries(value)
    .map(([key, member]) =>
      isRecord(member) || (Array.isArray(member) && member.some(isRecord))
        ? `${indent}${pc.bold(named(key))}\n${forPeople(member, `${indent}  `)}`
        : `${indent}${pc.dim(named(key).padEnd(width))}  ${scalar(member)}`,
    )
    .join('\n');
}

export function table(rows: readonly Record<string, unknown>[], indent = ''): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => !isRecord(row[column]) && row[column] !== null && row[column] !== undefined),
  );
  const cells = rows.map((row) =>
    columns.map((column, i) => (i === 0 ? rowName(row[column]) : cell(row[column]))),
  );
  const names = columns.map((column) => named(column, CELL));
  const widths = names.map((name, i) =>
    cells.reduce((most, line) => Math.max(most, line[i]!.length), name.length),
  );
  const head = names.map((name, i) => pc.dim(name.padEnd(widths[i]!))).join('  ');
  const lines = cells.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  return [head.trimEnd(), ...lines].map((line) => indent + line).join('\n');
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object'
    ? inline(visibleJson(JSON.stringify(value)), MOST)
    : inline(String(value), MOST);
}

/** A run of spaces could pose as the next column. */
function cell(value: unknown): string {
  return inline(scalar(value).replace(/\s{2,}/gu, ' '), CELL);
}

/** What a row begins with: no text of others may look like a line of ours. */
function rowName(value: unknown): string {
  const text = scalar(value);
  return text === '' ? '' : named(text, CELL);
}

/**
 * The same value with every text in it fit for a terminal. Names of members stay, so that two never become one; those
 * who print them take care of them.
 */
export function shown<T>(value: T): T {
  if (typeof value === 'string') return inline(value, MOST) as T;
  if (Array.isArray(value)) return value.map((item) => shown(item)) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)])) as T;
}

/** JSON for scripts, words for people; both fit for a terminal. */
export function print<T>(value: T, json: boolean | undefined, inWords: (value: T) => string): void {
  process.stdout.write(`${json ? visibleJson(JSON.stringify(value)) : inWords(shown(value))}\n`);
}

/** The same for what came as JSON, whose numbers a script gets as they were written. */
export function printText<T>(text: string, json: boolean | undefined, inWords: (value: T) => string): void {
  const words = () => packedText(JSON.parse(text)) ?? inWords(shown(JSON.parse(text)));
  process.stdout.write(`${json ? visibleJson(text) : words()}\n`);
}

/** What was packed for a prompt is quoted already, line by line. Undefined where nothing was packed. */
function packedText(body: unknown): string | undefined {
  const packed = isRecord(body) ? body.packed : undefined;
  if (!isRecord(packed)) return undefined;
  const { text, passages, repeats, left_out } = packed;
  if (passages === 0) return pc.dim('Nothing found that fits.');
  const rest = `Left out: ${repeats} that say nothing new, ${left_out} for lack of room.`;
  return `${visible(String(text))}\n${pc.dim(rest)}`;
}

/** Says what is wrong and what to do, in two lines, and gives the exit code. */
export function printError(error: BatonError, json: boolean): number {
  if (json) {
    const { code, message, next, pointer, details } = error;
    const text = JSON.stringify({ error: { code, message, pointer, next, details } });
    process.stderr.write(`${visibleJson(text)}\n`);
  } else {
    const where = error.pointer ? ` ${pc.dim(`(at ${inline(error.pointer)})`)}` : '';
    process.stderr.write(
      `${pc.red(error.code)}: ${inline(error.message, MOST)}${where}\n${pc.dim(`→ ${inline(error.next, MOST)}`)}\n`,
    );
  }
  return exitCodeFor(error);
}

function exitCodeFor(error: BatonError): number {
  if (error.code === 'server_unreachable') return EXIT.connection;
  if (error.status === 401) return EXIT.auth;
  if (error.status === 403) return EXIT.denied;
  if (error.status === 422) return EXIT.integrity;
  return error.status === 400 ? EXIT.usage : EXIT.error;
}

/** `did:a2p:agent:local:coach` is shown as `coach`; DIDs of other servers stay as they are. */
export function withLocalNames(text: string): string {
  return text.replaceAll(/\bdid:a2p:\w+:local:([\w.-]+)/g, '$1');
}
