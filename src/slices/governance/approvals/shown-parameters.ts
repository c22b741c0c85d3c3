import { ecmascriptLexeme } from '../../../kernel/json/canonical/ecmascript.ts';
import { type Json, JsonNumber, type JsonObject } from '../../../kernel/json/value.ts';

type Redact = (text: string) => string;

/**
 * The parameters of a call as a person sees them: secrets taken out, by how they look or by the name of the member, and
 * numbers that a browser would round as they were written.
 */
export function shownParameters(parameters: JsonObject, redact: Redact): JsonObject {
  return members(parameters, redact);
}

function members(object: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, shown(value, (text) => named(name, text, redact))]),
  );

  function named(name: string, text: string, by: Redact): string {
    const label = `${name}: `;
    const safe = by(label + by(text));
    return safe.startsWith(label) ? safe.slice(label.length) : safe;
  }

  function shown(value: Json, by: Redact): Json {
    if (typeof value === 'string') return by(value);
    if (typeof value === 'number') return by(String(value)) === String(value) ? value : by(String(value));
    if (value === null || typeof value === 'boolean') return value;
    if (value instanceof JsonNumber) {
      const safe = by(value.lexeme);
      return safe === value.lexeme && ecmascriptLexeme(value) !== undefined ? value.toNumber() : safe;
    }
    if (Array.isArray(value)) return value.map((item: Json) => shown(item, by));
    return members(value as JsonObject, redact);
  }
}
