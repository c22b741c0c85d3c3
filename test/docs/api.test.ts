import { describe, expect, it } from 'vitest';
import { operations } from '../../packages/client/src/operations.ts';
import { readDocument } from '../../src/kernel/json/reader.ts';
import { nodeHasher } from '../../src/platform/node-hasher.ts';
import { checkManifest } from '../../src/slices/governance/atlases/check.ts';
import { parseManifest } from '../../src/slices/governance/atlases/rules/parse.ts';
import { strictCarpRequestSchema } from '../../src/slices/governance/resolution/schema.ts';
import { parseInput } from '../../src/spine/dispatch/parse.ts';
import { type CliFace, keyHandlingOf, type Operation } from '../../src/spine/operations/define.ts';
import { type DescribedInput, describedInputs } from './described-input.ts';
import { type ExampleInput, exampleOf } from './example-input.ts';
import { EXAMPLES } from './examples.ts';

const table = Object.values(operations) as Operation[];

describe('the API reference', () => {
  it('describes every operation as the table declares it (npx vitest run test/docs -u writes it)', async () => {
    const lines = [
      '# Operations',
      '',
      'Everything Baton can be asked, from one table: the same operation is a route, a command, an MCP action and a method of',
      'the client. `/openapi.json` of a running server has the schemas; [errors.md](errors.md) has the errors.',
      '',
      'Every method but GET takes an `Idempotency-Key`: the same request with the same key gets its first answer for a day,',
      'with `idempotent-replayed: true`; another request with that key gets `idempotency_conflict`. Operations whose answers',
      'are not kept say so below.',
      '',
    ];
    const groups = new Map<string, Operation[]>();
    for (const operation of table) {
      const group = operation.name.split('.')[0]!;
      groups.set(group, [...(groups.get(group) ?? []), operation]);
    }
    for (const [group, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
      lines.push(`## ${group}`, '');
      for (const operation of members) lines.push(...section(operation));
    }
    await expect(lines.join('\n')).toMatchFileSnapshot('../../docs/api.md');
  });
});

describe('the examples of the API reference', () => {
  it.each(table.map((operation) => [operation.name, operation] as const))(
    '%s takes its own',
    (_, operation) => {
      const { body, ...parts } = exampleOf(operation);
      const document = body === undefined ? undefined : readDocument(JSON.stringify(body));
      expect(() => parseInput(operation.input, { ...parts, document })).not.toThrow();
    },
  );

  it.each(['carp.resolve', 'carp.execute'])('%s takes its document', (name) => {
    const { task = { goal: 'Refund order A-17' }, ...request } = EXAMPLES[name] as { task?: object };
    expect(strictCarpRequestSchema.safeParse({ ...request, task }).error).toBeUndefined();
  });

  it.each(['atlas.load', 'atlas.check', 'atlas.impact'])('%s takes its Atlas without a warning', (name) => {
    const { findings } = checkManifest(parseManifest(EXAMPLES[name]), nodeHasher);
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('are of operations that there are', () => {
    const names = table.map(({ name }) => name);
    expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
  });
});

function section(operation: Operation): string[] {
  const lines = [`### ${operation.name}`, '', operation.summary];
  if (operation.description) lines.push(operation.description);
  lines.push('');
  if (operation.http)
    lines.push(
      `- \`${operation.http.method} ${operation.http.path}\`${operation.kind === 'stream' ? ' (server-sent events, or WebSocket)' : ''}`,
    );
  for (const { command, positionals = [] } of commands(operation)) {
    lines.push(`- \`baton ${[command, ...positionals.map((name) => `<${name}>`)].join(' ')}\``);
  }
  if (operation.mcp) lines.push(`- MCP tool \`${operation.mcp.tool}\`, action \`${operation.mcp.action}\``);
  lines.push(`- ${operation.scope === 'open' ? 'needs no credential' : `scope \`${operation.scope}\``}`);
  const keys = keyHandlingOf(operation);
  if (keys === 'refused') lines.push('- refuses an `Idempotency-Key` (`idempotency_refused`)');
  if (keys === 'forwarded' && operation.http?.method !== 'GET')
    lines.push('- passes an `Idempotency-Key` on as it came');
  const inputs = describedInputs(operation);
  const example = exampleOf(operation);
  if (inputs.length > 0)
    lines.push(
      '',
      '| input | in | type | what it is | example |',
      '|---|---|---|---|---|',
      ...inputs.map((input) => row(input, example)),
    );
  if (Object.hasOwn(EXAMPLES, operation.name))
    lines.push('', 'Body, for example:', '', '```json', JSON.stringify(example.body, null, 2), '```');
  if (operation.errors.length > 0)
    lines.push('', `Errors: ${operation.errors.map((code) => `\`${code}\``).join(', ')}.`);
  return [...lines, ''];
}

function commands(operation: Operation): CliFace[] {
  return operation.cli === undefined ? [] : ([operation.cli].flat() as CliFace[]);
}

function row(input: DescribedInput, examples: ExampleInput): string {
  const type = input.type.replaceAll('|', '\\|');
  const words = input.words.replaceAll('|', '\\|');
  const value = (examples[input.in] as Readonly<Record<string, unknown>> | undefined)?.[input.name];
  const example = value === undefined ? '' : `\`${exampleText(input, value).replaceAll('|', '\\|')}\``;
  return `| \`${input.name}\`${input.required ? ' (required)' : ''} | ${input.in} | \`${type}\` | ${words} | ${example} |`;
}

/** As it stands where it goes: text without quotes but in a body. */
function exampleText(input: DescribedInput, value: unknown): string {
  return typeof value === 'string' && input.in !== 'body' ? value : JSON.stringify(value);
}
