/** The types of all operations as plain TypeScript, made from the JSON Schemas of their inputs and outputs. */

const HEAD = `/** Every operation by name: its kind, its arguments and its result (for a stream, one item's data). */
export interface Operations {
`;

const TAIL = `}

/** The arguments of an operation as one object, wherever the wire puts them. */
export type Arguments<Op> = Op extends { readonly arguments: infer A } ? A : never;

export type Result<Op> = Op extends { readonly result: infer R } ? R : never;
`;

/** Below this, a name says less than what it stands for. */
const WORTH_A_NAME = 120;
/** What an object type goes by where it is printed; undefined if it is written out. */
const NAMED = Symbol('named');

/**
 * `toJsonSchema(schema, 'input' | 'output')` describes what a schema takes, or what it gives. What several operations take
 * or give, such as a package, is written once and has a name.
 */
export function typesSource(operations, toJsonSchema) {
  const seen = new Map();
  rowsOf(operations, toJsonSchema, (key) => void seen.set(key, (seen.get(key) ?? 0) + 1), []);
  const shared = [];
  const names = new Map();
  const named = (key, written, prefix) => {
    if (!(seen.get(key) > 1)) return undefined;
    let name = names.get(key);
    if (name === undefined) {
      const text = written();
      if (text.length < WORTH_A_NAME) return undefined;
      name = `${prefix}${shared.length + 1}`;
      names.set(key, name);
      shared.push(`type ${name} = ${text};\n`);
    }
    return name;
  };
  const rows = rowsOf(operations, toJsonSchema, named, shared);
  return `${shared.join('')}${HEAD}${rows.join('')}${TAIL}`;
}

function rowsOf(operations, toJsonSchema, named, shared) {
  const known = new Map();
  const print = (schema, side, name) => {
    const { $defs = {}, ...root } = toJsonSchema(schema, side);
    const prefix = pascal(name);
    const names = Object.fromEntries(Object.keys($defs).map((key, at) => [key, `${prefix}${at + 1}`]));
    names[NAMED] = (key, written) => named(key, written, `${prefix}Part`);
    for (const [key, def] of Object.entries($defs)) {
      const meaning = type(def, { ...names, [key]: 'Self' });
      const before = known.get(meaning);
      if (before) names[key] = before;
      else {
        known.set(meaning, names[key]);
        shared.push(`type ${names[key]} = ${type(def, names)};\n`);
      }
    }
    return indented(type(root, names), '    ');
  };
  return Object.entries(operations).map(([name, operation]) => {
    const { summary, kind, output } = operation;
    const members = [`kind: '${kind}'`, `arguments: ${argumentsOf(operation, print)}`];
    if (output) members.push(`result: ${print(output, 'output', `${name}.result`)}`);
    return `${comment(summary, '  ')}  '${name}': {\n${members.map((member) => `    ${member};\n`).join('')}  };\n`;
  });
}

function argumentsOf({ name, input, bodyName }, print) {
  const { path, query, headers, body } = input;
  const parts = Object.entries({ path, query, headers }).flatMap(([part, schema]) =>
    schema ? [print(schema, 'input', `${name}.${part}`)] : [],
  );
  if (body === undefined) return parts.join(' & ') || '{}';
  const optional = body.type === 'optional';
  const given = print(body, 'input', `${name}.body`);
  if (bodyName) return [...parts, `{ ${bodyName}${optional ? '?' : ''}: ${given} }`].join(' & ');
  const all = [...parts, given].join(' & ');
  return optional ? `(${all}) | ${parts.length > 0 ? parts.join(' & ') : 'Record<string, never>'}` : all;
}

function type(schema, names) {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  if (schema.$ref) return names[schema.$ref.replace('#/$defs/', '')] ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map((one) => type(one, names)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${type(one, names)})`).join(' & ');
  const kinds = [schema.type ?? 'unknown'].flat();
  return kinds.map((kind) => plainType(kind, schema, names)).join(' | ');
}

function plainType(kind, schema, names) {
  if (kind === 'integer') return 'number';
  if (kind === 'array') return arrayType(schema, names);
  return kind === 'object' ? objectType(schema, names) : kind;
}

function arrayType({ items = true, prefixItems }, names) {
  if (prefixItems) return `[${prefixItems.map((item) => type(item, names)).join(', ')}]`;
  const item = type(items, names);
  return /^[\w]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectType(schema, names) {
  const { description, ...meant } = schema;
  const key = JSON.stringify(meant);
  const written = () => writtenType(schema, names);
  // What a reference stands for is known where it is printed only.
  return (key.includes('"$ref"') ? undefined : names[NAMED](key, written)) ?? written();
}

function writtenType({ properties = {}, required = [], additionalProperties }, names) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description, '  ')}  ${key}${mark}: ${indented(type(schema, names), '  ')};\n`;
  });
  if (additionalProperties === undefined || additionalProperties === false) {
    return members.length === 0 ? '{}' : `{\n${members.join('')}}`;
  }
  // Beside named members the others may be anything: an index signature has to cover the named ones too.
  const others = members.length === 0 ? indented(type(additionalProperties, names), '  ') : 'unknown';
  return `{\n${members.join('')}  [name: string]: ${others};\n}`;
}

function indented(text, indent) {
  return text.replaceAll('\n', `\n${indent}`);
}

function comment(text, indent) {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}

function pascal(name) {
  return name.replace(/(?:^|[._-])(\w)/g, (_, letter) => letter.toUpperCase());
}
