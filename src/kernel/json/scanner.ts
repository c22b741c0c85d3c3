import type { BatonError } from '../error.ts';
import { BareObject } from './bare-object.ts';
import {
  BACKSLASH,
  BYTE_ORDER_MARK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  FIRST_LOW_SURROGATE,
  FIRST_SURROGATE,
  LAST_SURROGATE,
  LINE_FEED,
  LOWER_E,
  LOWER_U,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
  UPPER_E,
  ZERO,
} from './code-units.ts';
import { jsonErrors } from './errors.ts';
import { knownKey } from './known-keys.ts';
import { jsonPointer } from './pointer.ts';
import { type Json, JsonNumber } from './value.ts';

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Text without a quote, an escape or anything rare: beyond a few units, faster than a look at each. */
const ORDINARY_RUN = /[ !#-[\]-\ud7ff\ue000-\uffff]*/y;
const SHORT_RUN = 24;
const SPACES = /[ \n\r\t]*/y;

/** From this many escapes on, the engine's own reader is faster, and leaves less behind. */
const MANY_ESCAPES = 16;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Fifteen digits always fit a double exactly. */
const DIRECT_DIGITS = 15;

export interface MemberSpan {
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface ScanOptions {
  readonly maxDepth: number;
  readonly maxValues: number;
  readonly lenient: boolean;
  /** Filled with the members of the top-level object. */
  readonly members?: Map<string, MemberSpan> | undefined;
}

/** One pass over one text. The path to the value being read is kept only to name the place of a fault. */
export class JsonScanner {
  private readonly text: string;
  private readonly maxDepth: number;
  private readonly maxValues: number;
  private readonly lenient: boolean;
  private readonly members: Map<string, MemberSpan> | undefined;
  private readonly path: (string | number)[] = [];
  private level = 0;
  private at = 0;
  private values = 0;
  /** Whether every number so far is a `number`. */
  isPlain = true;

  constructor(text: string, options: ScanOptions) {
    this.text = text;
    this.maxDepth = options.maxDepth;
    this.maxValues = options.maxValues;
    this.lenient = options.lenient;
    this.members = options.members;
  }

  readAll(): Json {
    if (this.text.charCodeAt(0) === BYTE_ORDER_MARK) {
      throw this.fault('invalid_json', 'The text starts with a byte order mark.', 0);
    }
    this.skipSpace();
    const value = this.readValue(0);
    this.skipSpace();
    if (this.at < this.text.length) {
      throw this.fault('invalid_json', 'There is text after the JSON value.');
    }
    return value;
  }

  private readValue(depth: number): Json {
    this.values += 1;
    if (this.values > this.maxValues) {
      throw this.fault('too_large', `The text has more than ${this.maxValues} values.`);
    }
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return this.readString();
      case OPEN_BRACE:
        return this.readObject(depth + 1);
      case OPEN_BRACKET:
        return this.readArray(depth + 1);
      case 0x74:
        return this.readWord('true', true);
      case 0x66:
        return this.readWord('false', false);
      case 0x6e:
        return this.readWord('null', null);
      default:
        return this.readNumber();
    }
  }

  private readObject(depth: number): Json {
    this.enter(depth);
    const object = new BareObject();
    if (this.text.charCodeAt(this.at) === CLOSE_BRACE) {
      this.at += 1;
      return object;
    }
    for (;;) {
      const keyStart = this.at;
      if (this.text.charCodeAt(keyStart) !== QUOTE) {
        throw this.fault('invalid_json', 'Expected a member name in double quotes.');
      }
      this.level = depth - 1;
      const key = this.readKey();
      this.path[depth - 1] = key;
      this.level = depth;
      if (!this.lenient && key in object) {
        throw this.fault('duplicate_key', `The member ${JSON.stringify(key)} stands twice.`, keyStart);
      }
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== COLON) {
        throw this.fault('invalid_json', "Expected ':' after a member name.");
      }
      this.at += 1;
      this.skipSpace();
      const valueStart = this.at;
      object[key] = this.readValue(depth);
      if (depth === 1 && this.members !== undefined) {
        this.members.set(key, { keyStart, valueStart, valueEnd: this.at });
      }
      if (this.endsAfterItem(CLOSE_BRACE, "Expected ',' or '}' after a member.")) {
        this.level = depth - 1;
        return object;
      }
    }
  }

  private readArray(depth: number): Json {
    this.enter(depth);
    const items: Json[] = [];
    if (this.text.charCodeAt(this.at) === CLOSE_BRACKET) {
      this.at += 1;
      return items;
    }
    for (;;) {
      this.path[depth - 1] = items.length;
      this.level = depth;
      items.push(this.readValue(depth));
      if (this.endsAfterItem(CLOSE_BRACKET, "Expected ',' or ']' after an item.")) {
        this.level = depth - 1;
        return items;
      }
    }
  }

  private enter(depth: number): void {
    if (depth > this.maxDepth) {
      throw this.fault('too_deep', `The value is nested more than ${this.maxDepth} deep.`);
    }
    this.at += 1;
    this.skipSpace();
  }

  private endsAfterItem(close: number, expected: string): boolean {
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    if (code === COMMA) {
      this.at += 1;
      this.skipSpace();
      return false;
    }
    if (code !== close) throw this.fault('invalid_json', expected);
    this.at += 1;
    return true;
  }

  private readWord<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.unexpected();
    this.at += word.length;
    return value;
  }

  private readKey(): string {
    const start = this.at + 1;
    const end = this.endOfRun(start);
    if (this.text.charCodeAt(end) === BACKSLASH) return this.readEscapedString(start, end);
    this.at = end + 1;
    return knownKey(this.text, start, end);
  }

  private readString(): string {
    const start = this.at + 1;
    const end = this.endOfRun(start);
    if (this.text.charCodeAt(end) === BACKSLASH) return this.readEscapedString(start, end);
    this.at = end + 1;
    return this.text.slice(start, end);
  }

  private readEscapedString(start: number, firstEscape: number): string {
    const text = this.text;
    let value = text.slice(start, firstEscape);
    let at = firstEscape;
    let escapes = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return value;
      }
      if (code === BACKSLASH) {
        escapes += 1;
        if (escapes === MANY_ESCAPES) {
          const whole = this.readWholeString(start);
          if (whole !== undefined) return whole;
        }
        const short = SHORT_ESCAPES[text.charAt(at + 1)];
        if (short !== undefined) {
          value += short;
          at += 2;
        } else if (text.charCodeAt(at + 1) === LOWER_U) {
          const unit = this.readHexUnit(at);
          at += 6;
          value += String.fromCharCode(unit);
          if (unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE) {
            const paired =
              unit < FIRST_LOW_SURROGATE && text.startsWith('\\u', at) ? this.readHexUnit(at) : 0;
            if (paired >= FIRST_LOW_SURROGATE && paired <= LAST_SURROGATE) {
              value += String.fromCharCode(paired);
              at += 6;
            } else if (!this.lenient) {
              throw this.fault('lone_surrogate', undefined, at - 6);
            }
          }
        } else {
          throw this.fault('invalid_json', 'A backslash in a string starts no known escape.', at);
        }
      } else {
        const end = this.endOfRun(at);
        value += text.slice(at, end);
        at = end;
      }
    }
  }

  /** By the engine's own reader; undefined if it has a fault, which only a closer look can name. */
  private readWholeString(start: number): string | undefined {
    const text = this.text;
    let end = start;
    for (;;) {
      end = text.indexOf('"', end);
      if (end < 0) return undefined;
      let before = end;
      while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
      if ((end - before) % 2 === 0) break;
      end += 1;
    }
    try {
      const value = JSON.parse(text.slice(start - 1, end + 1)) as string;
      if (!this.lenient && LONE_SURROGATE.test(value)) return undefined;
      this.at = end + 1;
      return value;
    } catch {
      return undefined;
    }
  }

  /** The offset of the next quote or backslash. */
  private endOfRun(start: number): number {
    const text = this.text;
    const nearby = start + SHORT_RUN;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code >= SPACE && code < FIRST_SURROGATE && code !== QUOTE && code !== BACKSLASH) {
        if (at < nearby) {
          at += 1;
        } else {
          ORDINARY_RUN.lastIndex = at;
          ORDINARY_RUN.test(text);
          at = ORDINARY_RUN.lastIndex;
        }
      } else if (code === QUOTE || code === BACKSLASH) {
        return at;
      } else {
        at += this.widthOfRareUnit(at, code);
      }
    }
  }

  /** Checks what is neither ordinary text, a quote nor a backslash, and returns its length in code units. */
  private widthOfRareUnit(at: number, code: number): number {
    if (code > LAST_SURROGATE) return 1;
    if (code >= FIRST_SURROGATE) {
      const next = this.text.charCodeAt(at + 1);
      if (code < FIRST_LOW_SURROGATE && next >= FIRST_LOW_SURROGATE && next <= LAST_SURROGATE) return 2;
      if (this.lenient) return 1;
      throw this.fault('lone_surrogate', undefined, at);
    }
    if (at >= this.text.length) {
      throw this.fault('invalid_json', 'The text ends inside a string.', at);
    }
    throw this.fault('invalid_json', 'A string holds a control character that is not escaped.', at);
  }

  private readHexUnit(escapeStart: number): number {
    const digits = this.text.slice(escapeStart + 2, escapeStart + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.fault('invalid_json', 'Expected four hex digits after \\u.', escapeStart);
    }
    return Number.parseInt(digits, 16);
  }

  private readNumber(): number | JsonNumber {
    const text = this.text;
    const start = this.at;
    const negative = text.charCodeAt(start) === MINUS;
    const digits = negative ? start + 1 : start;
    let at = digits;
    let value = 0;
    let code = text.charCodeAt(at);
    if (code === ZERO) {
      at += 1;
    } else {
      while (code >= ZERO && code <= NINE) {
        value = value * 10 + (code - ZERO);
        at += 1;
        code = text.charCodeAt(at);
      }
      if (at === digits) throw this.unexpected();
    }
    code = text.charCodeAt(at);
    if (code === DOT || code === LOWER_E || code === UPPER_E) return this.readFraction(start, at);
    this.at = at;
    if (at - digits <= DIRECT_DIGITS && !(negative && value === 0)) return negative ? -value : value;
    const lexeme = text.slice(start, at);
    const whole = Number(lexeme);
    return Number.isSafeInteger(whole) && whole !== 0 ? whole : this.exact(lexeme);
  }

  private readFraction(start: number, integerEnd: number): number | JsonNumber {
    const text = this.text;
    let at = integerEnd;
    if (text.charCodeAt(at) === DOT) at = this.skipDigits(at + 1);
    const exponent = text.charCodeAt(at);
    if (exponent === LOWER_E || exponent === UPPER_E) {
      const sign = text.charCodeAt(at + 1);
      at = this.skipDigits(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
    }
    this.at = at;
    const lexeme = text.slice(start, at);
    const value = Number(lexeme);
    return String(value) === lexeme ? value : this.exact(lexeme);
  }

  private exact(lexeme: string): JsonNumber {
    this.isPlain = false;
    return new JsonNumber(lexeme);
  }

  private skipDigits(start: number): number {
    let at = start;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (!(code >= ZERO && code <= NINE)) break;
      at += 1;
    }
    if (at === start) throw this.fault('invalid_json', 'Expected a digit in a number.', at);
    return at;
  }

  private skipSpace(): void {
    for (const nearby = this.at + SHORT_RUN; this.at < nearby; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return;
    }
    SPACES.lastIndex = this.at;
    SPACES.test(this.text);
    this.at = SPACES.lastIndex;
  }

  private unexpected(): BatonError {
    const found = this.text.codePointAt(this.at);
    return this.fault(
      'invalid_json',
      found === undefined
        ? 'The text ends where a value is expected.'
        : `Expected a value, found ${JSON.stringify(String.fromCodePoint(found))}.`,
    );
  }

  private fault(
    code: 'invalid_json' | 'duplicate_key' | 'lone_surrogate' | 'too_deep' | 'too_large',
    message?: string,
    offset = this.at,
  ): BatonError {
    const before = this.text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    return jsonErrors[code]({
      ...(message === undefined ? {} : { message }),
      pointer: jsonPointer(this.path.slice(0, this.level)),
      details: { line, column, offset },
    });
  }
}
