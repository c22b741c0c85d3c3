import { describe, expect, it } from 'vitest';
import { decideVerb, type Tree, type VerbRequest, type VerbsFile } from './relay-gate-rules.ts';

const file: VerbsFile = {
  verbs: {
    send: { description: 'Ask the writer.', fixed: { to: 'writer' }, mutates: true },
    'tasks-cancel': { description: 'Stop it.', acknowledge: 'I stop the work of others.' },
  },
};
const send: VerbRequest = { verb: 'send', given: { to: 'writer' }, acknowledged: undefined };
const clean: Tree = { dirty: false };

describe('the gate of a repository', () => {
  it('lets through what is listed and fits', () => {
    expect(decideVerb(file, send, clean)).toMatchObject({ decision: 'allow', rule: 'listed' });
    const cancel = { verb: 'tasks-cancel', given: {}, acknowledged: 'I stop the work of others.' };
    expect(decideVerb(file, cancel, undefined)).toMatchObject({ decision: 'allow' });
  });

  it.each<[string, VerbRequest, Tree, string]>([
    ['a verb that is not listed', { ...send, verb: 'stream' }, clean, 'allowlist'],
    ['a verb that every object has', { ...send, verb: 'constructor' }, clean, 'allowlist'],
    ['another agent than the one fixed', { ...send, given: { to: 'planner' } }, clean, 'fixed'],
    ['an argument left out that is fixed', { ...send, given: {} }, clean, 'fixed'],
    ['signs of a shell', { ...send, given: { to: 'writer', as: 'a; rm -rf /' } }, clean, 'argument'],
    ['a tree with changes', send, { dirty: true }, 'dirty-tree'],
    ['no repository where one is changed', send, undefined, 'dirty-tree'],
    [
      'a sentence typed almost',
      { verb: 'tasks-cancel', given: {}, acknowledged: 'I stop the work of others' },
      clean,
      'acknowledgment',
    ],
  ])('refuses %s', (_, asked, tree, rule) => {
    expect(decideVerb(file, asked, tree)).toMatchObject({ decision: 'deny', rule });
  });
});
