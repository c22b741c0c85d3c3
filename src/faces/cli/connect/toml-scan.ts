/** Locates the tables and assignments of a TOML text. Values are not interpreted. */
interface TomlAssignment {
  readonly key: readonly string[];
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface TomlTable {
  /** Empty for what comes before the first header. */
  readonly path: readonly string[];
  readonly start: number;
  /** After the header's line. */
  readonly bodyStart: number;
  /** After the line of the last assignment, or of the header. */
  readonly end: number;
  readonly assignments: readonly TomlAssignment[];
}

const STRING = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const KEY = /\s*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*(\.?)/y;

/** Undefined if the text is no TOML that we understand. */
export function scanToml(text: string): TomlTable[] | undefined {
  const tables: { -readonly [K in keyof TomlTable]: TomlTable[K] }[] = [];
  let current = { path: [] as readonly string[], start: 0, bodyStart: 0, end: 0 };
  let assignments: TomlAssignment[] = [];
  const finish = () => tables.push({ ...current, assignments });
  let at = 0;
  while (at < text.length) {
    const start = at + leadingSpace(text, at);
    const lineEnd = endOfLine(text, start);
    if (start >= text.length || text[start] === '#' || /[\r\n]/.test(text[start]!)) {
      at = lineEnd;
      continue;
    }
    if (text[start] === '[') {
      const header = /^\[(\[?)(.*?)\]\1?\s*(?:#.*)?$/.exec(text.slice(start, lineEnd).trimEnd());
      const path = header && readKey(header[2]!, 0);
      if (!path || path.end !== header[2]!.trimEnd().length) return undefined;
      finish();
      current = { path: path.key, start, bodyStart: lineEnd, end: lineEnd };
      assignments = [];
      at = lineEnd;
      continue;
    }
    const key = readKey(text, start);
    const equals = key && key.end + leadingSpace(text, key.end);
    if (!key || equals === undefined || text[equals] !== '=') return undefined;
    const valueStart = equals + 1 + leadingSpace(text, equals + 1);
    const valueEnd = endOfValue(text, valueStart);
    if (valueEnd === undefined) return undefined;
    assignments.push({ key: key.key, valueStart, valueEnd });
    at = endOfLine(text, valueEnd);
    current.end = at;
  }
  finish();
  return tables;
}

function readKey(text: string, from: number): { readonly key: string[]; readonly end: number } | undefined {
  const key: string[] = [];
  KEY.lastIndex = from;
  for (;;) {
    const part = KEY.exec(text);
    if (!part) return undefined;
    key.push(part[1] ?? part[2] ?? part[3] ?? '');
    if (part[4] === '') return { key, end: from + text.slice(from, KEY.lastIndex).trimEnd().length };
  }
}

/** A value ends with its line, unless a bracket or a string is still open. */
function endOfValue(text: string, from: number): number | undefined {
  let depth = 0;
  let at = from;
  let end = from;
  while (at < text.length) {
    STRING.lastIndex = at;
    const string = STRING.exec(text);
    if (string) {
      at = end = STRING.lastIndex;
      continue;
    }
    const char = text[at]!;
    if (char === '#') {
      at = endOfLine(text, at) - 1;
      if (depth === 0) return end;
    } else if (/[\r\n]/.test(char) && depth === 0) return end;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    else if (char === '"' || char === "'") return undefined;
    at += 1;
    if (!/\s|#/.test(char)) end = at;
  }
  return depth === 0 ? end : undefined;
}

function leadingSpace(text: string, from: number): number {
  const found = /[^ \t]/.exec(text.slice(from));
  return found ? found.index : text.length - from;
}

/** After the line break. */
function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
