import { describe, expect, it } from 'vitest';
import { requireWanted } from './rules.ts';

describe('what a client asks for', () => {
  it('is there, or is named as missing', () => {
    expect(() => requireWanted('L3; ext="events/1 cas/1"')).not.toThrow();
    expect(() => requireWanted('L4')).toThrow(/L4/);
  });
});
