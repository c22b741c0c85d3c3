import { describe, expect, it } from 'vitest';
import { normalForm } from './content.ts';

describe('the normal form of a memory', () => {
  it.each([
    ['User likes chess', 'The user likes chess!'],
    ['User likes chess', 'Likes chess.'],
    ['Prefers the dark mode', 'prefers dark modes'],
    ['She lives in Graz, Austria', 'Lives in Graz (Austria)'],
  ])('is the same for %s and %s', (one, other) => {
    expect(normalForm(one)).toBe(normalForm(other));
  });

  it.each([
    ['User likes chess', 'User likes checkers'],
    ['User likes chess', 'User does not like chess'],
    ['Moved from Rome to Paris', 'Moved from Paris to Rome'],
  ])('differs for %s and %s', (one, other) => {
    expect(normalForm(one)).not.toBe(normalForm(other));
  });
});
