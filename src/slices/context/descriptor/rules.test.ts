import { describe, expect, it } from 'vitest';
import { requireSupported } from './rules.ts';

describe('what a client asks for', () => {
  it('is there, or is named as missing', () => {
    expect(() => requireSupported('L3; ext="events/1 cas/1"')).not.toThrow();
    expect(() => requireSupported('L4')).toThrow(/L4/);
  });
});
