import pc from 'picocolors';
import type { BatonError } from '../../kernel/error.ts';
import { isRecord } from '../../kernel/json/loose.ts';
import { EXIT } from './host.ts';

/** Members on lines, lists of alike objects as a table. */
export function forPeople(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}${pc.dim('none')}`;
    return value.every(isRecord)
      ? table(value as Record<string, unknown>[], indent)
      : value.map((v) => `${indent}- ${scalar(v)}`).join('\n');
  }
  if (!isRecord(value)) return `${indent}${scalar(value)}`;
  const width = Math.max(...Object.keys(value).map((key) => key.length), 0);
  return Object.entries(value)
    .map(([key, member]) =>
      isRecord(member) || (Array.isArray(member) && member.some(isRecord))
        ? `${indent}${pc.bold(key)}\n${forPeople(member, `${indent}  `)}`
        : `${indent}${pc.dim(key.padEnd(width))}  ${scalar(member)}`,
    )
    .join('\n');
}

export function table(rows: readonly Record<string, unknown>[], indent = ''): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => !isRecord(row[column]) && row[column] !== null && row[column] !== undefined),
  );
  const cells = rows.map((row) => columns.map((column) => clip(scalar(row[column]), 80)));
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((line) => line[i]!.length)));
  const head = columns.map((column, i) => pc.dim(column.padEnd(widths[i]!))).join('  ');
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
  return typeof value === 'object' ? JSON.stringify(value) : visible(String(value));
}

/** Text from packages and messages must not move the cursor or colour the screen. */
export function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, '·');
}

function clip(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** Says what is wrong and what to do, in two lines, and gives the exit code. */
export function printError(error: BatonError, json: boolean): number {
  if (json) {
    const { code, message, next, pointer, details } = error;
    process.stderr.write(`${JSON.stringify({ error: { code, message, pointer, next, details } })}\n`);
  } else {
    const where = error.pointer ? ` ${pc.dim(`(at ${error.pointer})`)}` : '';
    process.stderr.write(`${pc.red(error.code)}: ${error.message}${where}\n${pc.dim(`→ ${error.next}`)}\n`);
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
