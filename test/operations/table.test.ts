import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../packages/client/src/operations.ts';
import { scopes } from '../../src/spine/identity/scopes.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { arbitraryFor } from '../setup/arbitrary.ts';
import { errorTables } from '../setup/error-tables.ts';

const table = Object.entries(operations) as [string, Operation][];
const codes = new Set<string>();

beforeAll(async () => {
  for (const specs of (await errorTables()).values()) for (const code of Object.keys(specs)) codes.add(code);
});

describe.each(table)('%s', (name, operation) => {
  it('is documented: an imperative summary that ends with a full stop', () => {
    expect(operation.name).toBe(name);
    expect(operation.summary).toMatch(/^[A-Z][^\n]{8,140}\.$/);
  });

  it('has a scope that exists', () => {
    expect(operation.scope === 'open' || operation.scope in scopes).toBe(true);
  });

  it('answers only errors that exist', () => {
    expect(operation.errors.filter((code) => !codes.has(code))).toEqual([]);
  });

  it('takes every parameter of its path, and no other', () => {
    const inPath = [...(operation.http?.path ?? '').matchAll(/\{(\w+)\*?\}/g)].map((match) => match[1]);
    expect(Object.keys(operation.input.path?.shape ?? {}).sort()).toEqual(inPath.sort());
  });

  it('can be fuzzed: inputs made from its schemas', () => {
    const { path, query, headers, body } = operation.input;
    for (const schema of [path, query, headers, body]) {
      if (schema) expect(fc.sample(arbitraryFor(schema as z.ZodType), 3)).toHaveLength(3);
    }
  });

  it('has flat arguments that do not collide', () => {
    const { path, query, headers, body } = operation.input;
    const bodyNames = operation.bodyName
      ? [operation.bodyName]
      : body instanceof z.ZodObject
        ? Object.keys(body.shape)
        : [];
    const names = [path, query, headers].flatMap((part) => Object.keys(part?.shape ?? {})).concat(bodyNames);
    expect(names.filter((given, i) => names.indexOf(given) !== i)).toEqual([]);
  });
});

describe('the operation table', () => {
  it('has no two operations at one address', () => {
    const at = table.flatMap(([, { http }]) =>
      http ? [`${http.method} ${http.path.replace(/\{\w+/g, '{')}`] : [],
    );
    expect(at.filter((address, i) => at.indexOf(address) !== i)).toEqual([]);
  });

  it('fits into 15 MCP tools with distinct actions', () => {
    const actions = table.flatMap(([, { mcp }]) => (mcp ? [`${mcp.tool} ${mcp.action}`] : []));
    expect(actions.filter((action, i) => actions.indexOf(action) !== i)).toEqual([]);
    expect(new Set(actions.map((action) => action.split(' ')[0])).size).toBeLessThanOrEqual(15);
  });

  it('has no two commands of one name', () => {
    const commands = table.flatMap(([, { cli }]) =>
      cli === undefined ? [] : [cli].flat().map(({ command }) => command),
    );
    expect(commands.filter((command, i) => commands.indexOf(command) !== i)).toEqual([]);
  });
});
