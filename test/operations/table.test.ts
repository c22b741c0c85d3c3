import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../packages/client/src/operations.ts';
import { roles } from '../../src/spine/identity/roles.ts';
import { scopes } from '../../src/spine/identity/scopes.ts';
import { keyHandlingOf, type Operation } from '../../src/spine/operations/define.ts';
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

/** Beyond an agent's role, and nobody's decision all the same: work with more reach, and who one is oneself. */
const NO_ONES = /^(?:channel:manage|import|journal:verify|relay:manage|self|trace:write)$/;
/** A new project takes nothing from anybody, and the suite that is executed is read-only towards the store. */
const NO_DECISION = ['projects.create', 'conform.execute'];

describe('the operation table', () => {
  it('says of every write beyond an agent’s role that a person decides it', () => {
    const agents: readonly string[] = roles.agent;
    const undeclared = table.filter(
      ([name, operation]) =>
        operation.kind === 'call' &&
        operation.decides === undefined &&
        keyHandlingOf(operation) !== 'ignored' &&
        operation.scope in scopes &&
        !agents.includes(operation.scope) &&
        !NO_ONES.test(operation.scope) &&
        !NO_DECISION.includes(name),
    );
    expect(undeclared.map(([name, { scope }]) => `${name} (${scope})`)).toEqual([]);
  });

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
