import { describe, expect, it } from 'vitest';
import { operations } from '../../packages/client/src/operations.ts';
import { type CliFace, keyHandlingOf, type Operation } from '../../src/spine/operations/define.ts';
import { type DescribedInput, describedInputs } from './described-input.ts';

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
  if (inputs.length > 0)
    lines.push('', '| input | in | type | what it is |', '|---|---|---|---|', ...inputs.map(row));
  if (operation.errors.length > 0)
    lines.push('', `Errors: ${operation.errors.map((code) => `\`${code}\``).join(', ')}.`);
  return [...lines, ''];
}

function commands(operation: Operation): CliFace[] {
  return operation.cli === undefined ? [] : ([operation.cli].flat() as CliFace[]);
}

function row(input: DescribedInput): string {
  const type = input.type.replaceAll('|', '\\|');
  const words = input.words.replaceAll('|', '\\|');
  return `| \`${input.name}\`${input.required ? ' (required)' : ''} | ${input.in} | \`${type}\` | ${words} |`;
}
