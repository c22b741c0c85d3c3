import { describe, expect, it } from 'vitest';
import { SMALL_CONFIG } from '../../testing.ts';
import { validateConfig } from './validate.ts';

const role = { title: 'Boss', mandate: 'Decide', write_authority: 'authoritative', runtime: 'manual' };
const faultsWith = (changes: object) =>
  validateConfig({ ...SMALL_CONFIG, ...changes }).map(({ type, field }) => ({ type, field }));
const withRole = (id: string) => faultsWith({ roles: { ...(SMALL_CONFIG.roles as object), [id]: role } });

describe('a role id', () => {
  it('is lower-case letters, digits, _ and -', () => {
    expect(withRole('boss_2')).toEqual([]);
    expect(withRole('Boss')).toEqual([{ type: 'invalid_config', field: 'roles.Boss' }]);
  });

  // Otherwise an agent could hold the role whose word counts as a person's.
  it('is never "human", which stands for a person', () => {
    expect(withRole('human')).toEqual([{ type: 'invalid_config', field: 'roles.human' }]);
  });

  it('"human" may follow in a phase, but cannot begin one', () => {
    const routing = (route: object) => ({ routing: { qa: { allowed_next_roles: ['human'], ...route } } });
    expect(faultsWith(routing({}))).toEqual([]);
    expect(faultsWith(routing({ entry_role: 'human' }))).toEqual([
      { type: 'undeclared_role_reference', field: 'routing.qa.entry_role' },
    ]);
  });
});
