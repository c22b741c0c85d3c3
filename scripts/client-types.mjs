/** The types of all operations as plain TypeScript, made from the JSON Schemas of their inputs and outputs. */

const HEAD = `/** Every operation by name: its kind, its arguments and its result (for a stream, one item's data). */
export interface Operations {
`;

const TAIL = `}

/** The arguments of an operation as one object, wherever the wire puts them. */
export type Arguments<Op> = Op extends { readonly arguments: infer A } ? A : never;

export type Result<Op> = Op extends { readonly result: infer R } ? R : never;
`;

/** `toJsonSchema(schema, 'input' | 'output')` describes what a schema takes, or what it gives. */
export function typesSource(operations, toJsonSchema) {
  const shared = [];
  const print = (schema, side, name) => {
    const { $defs = {}, ...root } = toJsonSchema(schema, side);
    const prefix = pascal(name);
    const names = Object.fromEntries(Object.keys($defs).map((key, at) => [key, `${prefix}${at + 1}`]));
    for (const [key, def] of Object.entries($defs))
      shared.push(`type ${names[key]} = ${type(def, names, '')};\n`);
    return type(root, names, '    ');
  };
  const rows = Object.entries(operations).map(([name, operation]) => {
    const { summary, kind, output } = operation;
    const members = [`kind: '${kind}'`, `arguments: ${argumentsOf(operation, print)}`];
    if (output) members.push(`result: ${print(output, 'output', `${name}.result`)}`);
    return `${comment(summary, '  ')}  '${name}': {\n${members.map((member) => `    ${member};\n`).join('')}  };\n`;
  });
  return `${shared.join('')}${HEAD}${rows.join('')}${TAIL}`;
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

function type(schema, names, indent) {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  if (schema.$ref) return names[schema.$ref.replace('#/$defs/', '')] ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map((one) => type(one, names, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${type(one, names, indent)})`).join(' & ');
  const kinds = [schema.type ?? 'unknown'].flat();
  return kinds.map((kind) => plainType(kind, schema, names, indent)).join(' | ');
}

function plainType(kind, schema, names, indent) {
  if (kind === 'integer') return 'number';
  if (kind === 'array') return arrayType(schema, names, indent);
  return kind === 'object' ? objectType(schema, names, indent) : kind;
}

function arrayType({ items = true, prefixItems }, names, indent) {
  if (prefixItems) return `[${prefixItems.map((item) => type(item, names, indent)).join(', ')}]`;
  const item = type(items, names, indent);
  return /^[\w]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }, names, indent) {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description, inner)}${inner}${key}${mark}: ${type(schema, names, inner)};\n`;
  });
  if (additionalProperties === undefined || additionalProperties === false) {
    return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
  }
  // Beside named members the others may be anything: an index signature has to cover the named ones too.
  const others = members.length === 0 ? type(additionalProperties, names, inner) : 'unknown';
  return `{\n${members.join('')}${inner}[name: string]: ${others};\n${indent}}`;
}

function comment(text, indent) {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}

function pascal(name) {
  return name.replace(/(?:^|[._-])(\w)/g, (_, letter) => letter.toUpperCase());
}
