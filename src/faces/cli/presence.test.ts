import { describe, expect, it } from 'vitest';
import { asksPassphrase } from './presence.ts';

describe('a decision from the command line', () => {
  const risky = { needs_presence: true };
  const me = (present: boolean, passphrase_set: boolean) => ({ present, passphrase_set });

  it('asks for the passphrase where the risk wants a person and none has been proved', () => {
    expect(asksPassphrase(risky, me(false, true))).toBe(true);
    expect(asksPassphrase(risky, me(true, true))).toBe(false);
    expect(asksPassphrase({ needs_presence: false }, me(false, false))).toBe(false);
  });

  it('says how to set one before anything is decided', () => {
    expect(() => asksPassphrase(risky, me(false, false))).toThrow(
      expect.objectContaining({ next: expect.stringContaining('baton passphrase') }),
    );
  });
});
