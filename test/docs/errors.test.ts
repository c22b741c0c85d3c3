import { describe, expect, it } from 'vitest';
import { errorTables } from '../setup/error-tables.ts';

describe('the error reference', () => {
  it('lists every code of every table, and no other (npx vitest run test/docs -u writes it)', async () => {
    const lines = [
      '# Errors',
      '',
      'Every refusal has a stable `code`, a sentence, and what to do `next`; `pointer` names the place in the input.',
      'The Agentic, CRA and a2p wires spell some codes their own way; what stands here is what Baton means by them.',
      '',
    ];
    const tables = [...(await errorTables())].sort(([a], [b]) => a.localeCompare(b));
    for (const [room, specs] of tables) {
      lines.push(`## ${room}`, '', '| code | status | meaning | what to do |', '|---|---|---|---|');
      for (const [code, spec] of Object.entries(specs)) {
        lines.push(`| \`${code}\` | ${spec.status} | ${cell(spec.message)} | ${cell(spec.next)} |`);
      }
      lines.push('');
    }
    await expect(lines.join('\n')).toMatchFileSnapshot('../../docs/errors.md');
  });

  it('gives one meaning to a code, wherever it is thrown', async () => {
    const seen = new Map<string, { room: string; status: number }>();
    const twice: string[] = [];
    for (const [room, specs] of await errorTables()) {
      for (const [code, { status }] of Object.entries(specs)) {
        const other = seen.get(code);
        if (other && other.status !== status)
          twice.push(`${code}: ${other.room} ${other.status}, ${room} ${status}`);
        seen.set(code, { room, status });
      }
    }
    expect(twice).toEqual([]);
  });
});

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
