import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roles } from './roles.ts';
import { grantsPattern, grantsScope, isScopePattern, scopes } from './scopes.ts';

const names = Object.keys(scopes);
const families = [...new Set(names.filter((name) => name.includes(':')).map((name) => name.split(':')[0]))];
const patterns = ['*', ...names, ...families.map((family) => `${family}:*`)];
const anyScope = fc.constantFrom(...names);
const anyPattern = fc.constantFrom(...patterns);
const granted = fc.array(anyPattern, { maxLength: 4 }).map((list) => new Set(list));

describe('scopes', () => {
  it('let nobody write under other names unless they say so', () => {
    expect(grantsScope(new Set(['*']), 'import')).toBe(false);
    expect(grantsPattern(new Set(['*']), 'import')).toBe(false);
    expect(grantsPattern(new Set(['*', 'import']), 'import')).toBe(true);
  });

  it('are covered by themselves, their family and, all but import, by the star; and by nothing else', () => {
    fc.assert(
      fc.property(granted, anyScope, (set, scope) => {
        const expected = [...set].some(
          (pattern) =>
            (pattern === '*' && scope !== 'import') ||
            pattern === scope ||
            (pattern.endsWith(':*') && scope.startsWith(pattern.slice(0, -1))),
        );
        expect(grantsScope(set, scope)).toBe(expected);
      }),
    );
  });

  it('never shrink when more is granted', () => {
    fc.assert(
      fc.property(granted, anyPattern, anyScope, (set, extra, scope) => {
        if (grantsScope(set, scope)) expect(grantsScope(new Set([...set, extra]), scope)).toBe(true);
      }),
    );
  });

  it('can be handed on only where every scope they stand for is held', () => {
    fc.assert(
      fc.property(granted, anyPattern, anyScope, (set, wanted, scope) => {
        if (grantsPattern(set, wanted) && grantsScope(new Set([wanted]), scope)) {
          expect(grantsScope(set, scope)).toBe(true);
        }
      }),
    );
  });

  it('do not match by prefix of a name or by a star in the middle', () => {
    expect(grantsScope(new Set(['facts:']), 'facts:read')).toBe(false);
    expect(grantsScope(new Set(['fact:*']), 'facts:read')).toBe(false);
    expect(grantsScope(new Set(['*:read']), 'facts:read')).toBe(false);
    expect(grantsScope(new Set([':*']), ':read')).toBe(false);
    expect(grantsScope(new Set(), 'admin')).toBe(false);
  });

  it('know which patterns grant something', () => {
    for (const pattern of patterns) expect(isScopePattern(pattern)).toBe(true);
    for (const text of ['', ':*', '**', 'fact:*', 'facts:*:*', 'facts:own', 'toString', '__proto__']) {
      expect(isScopePattern(text)).toBe(false);
    }
  });

  it('have one sentence each', () => {
    for (const sentence of Object.values(scopes)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

describe('roles', () => {
  it('let no agent decide, manage keys or own a profile', () => {
    const agent = new Set<string>(roles.agent);
    for (const scope of [
      'inbox:decide',
      'approvals:decide',
      'keys:manage',
      'memory:own',
      'admin',
      'import',
    ]) {
      expect(grantsScope(agent, scope)).toBe(false);
    }
  });

  it('let a reader write nothing', () => {
    for (const scope of roles.reader) expect(scope).toMatch(/:(read|verify)$/);
  });
});
