/**
 * A JSON value as the strict reader gives it. Objects inherit nothing, so that a member called `__proto__`
 * is a member. A number is a plain `number` only where that loses nothing: a safe integer written as one, or a
 * fraction whose shortest form is what was written; every other lexeme is kept as a `JsonNumber`.
 */
export type Json = null | boolean | number | string | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A number whose written form carries more than a double: `1.0`, `1E2`, `-0`, `12345678901234567890`. */
export class JsonNumber {
  readonly lexeme: string;

  constructor(lexeme: string) {
    this.lexeme = lexeme;
  }

  get isInteger(): boolean {
    return !/[.eE]/.test(this.lexeme);
  }

  toNumber(): number {
    return Number(this.lexeme);
  }

  /** `JSON.stringify` cannot write a lexeme; where it matters, `writeJson` does. */
  toJSON(): number {
    return this.toNumber();
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}
