/** Misspelt keywords of JSON Schema: a validator ignores them, so that `requird` requires nothing. */
import { isRecord } from '../../../../kernel/json/loose.ts';
import { suggestion } from '../../../../kernel/nearest.ts';

export interface KeywordFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Keywords whose value is a schema, a map of schemas, a list of schemas, or no schema at all. */
const ONE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const PLAIN = [
  'const',
  'contentEncoding',
  'contentMediaType',
  'default',
  'dependencies',
  'dependentRequired',
  'deprecated',
  'description',
  'enum',
  'example',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'nullable',
  'pattern',
  'readOnly',
  'required',
  'title',
  'type',
  'uniqueItems',
  'writeOnly',
];
const KNOWN = [...ONE, ...MAPS, ...LISTS, ...PLAIN];
/** Whoever nests deeper is told by the validator. */
const DEEPEST = 64;

/** What `ajv-formats` checks; it ignores any other. */
const FORMATS = [
  'binary',
  'byte',
  'date',
  'date-time',
  'double',
  'duration',
  'email',
  'float',
  'hostname',
  'int32',
  'int64',
  'ipv4',
  'ipv6',
  'iso-date-time',
  'iso-time',
  'json-pointer',
  'json-pointer-uri-fragment',
  'password',
  'regex',
  'relative-json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'uuid',
];

export function unknownKeywords(
  schema: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[] = [],
): KeywordFault[] {
  if (path.length > DEEPEST) return [];
  return [
    ...unknownValues(schema, path),
    ...Object.entries(schema).flatMap(([keyword, value]) => {
      const at = [...path, keyword];
      if (ONE.includes(keyword)) return [value].flat().flatMap((each) => below(each, at));
      if (MAPS.includes(keyword) && isRecord(value))
        return Object.entries(value).flatMap(([name, each]) => below(each, [...at, name]));
      if (LISTS.includes(keyword) && Array.isArray(value))
        return value.flatMap((each, index) => below(each, [...at, index]));
      if (KNOWN.includes(keyword) || /^(?:\$|x-)/.test(keyword)) return [];
      return [{ path: at, message: `JSON Schema has no keyword ${keyword}: ${suggestion(keyword, KNOWN)}` }];
    }),
  ];
}

/** Names that mean nothing where they stand: a format that nobody checks, a required property that nobody declares. */
function unknownValues(
  { format, required, properties }: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): KeywordFault[] {
  const faults: KeywordFault[] = [];
  if (typeof format === 'string' && !FORMATS.includes(format)) {
    const message = `nothing checks the format ${format}: ${suggestion(format, FORMATS)}`;
    faults.push({ path: [...path, 'format'], message });
  }
  if (!Array.isArray(required) || !isRecord(properties)) return faults;
  for (const [at, name] of required.entries()) {
    if (Object.hasOwn(properties, String(name))) continue;
    const message = `${name} is required and not declared: ${suggestion(String(name), Object.keys(properties))}`;
    faults.push({ path: [...path, 'required', at], message });
  }
  return faults;
}

function below(value: unknown, path: readonly (string | number)[]): KeywordFault[] {
  return isRecord(value) ? unknownKeywords(value, path) : [];
}
