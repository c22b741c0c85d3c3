import { describe, expect, it } from 'vitest';
import { citedIds } from './provenance.ts';

const UUID = '01a1e253-ef61-7572-9626-8430b485c978';
const PACKAGE = 'pkg_cc78e99a4c02633d7d4c4d1a2ca1d4db';

describe('the ids that a text speaks of', () => {
  it('are found wherever they stand, each once, in order', () => {
    expect(citedIds(`"done by ${UUID}, after (${PACKAGE}); again ${UUID}"`)).toEqual([UUID, PACKAGE]);
    expect(citedIds(`mem_${UUID} and inb_1bb18f3468e658ae59a7c5d7f9f73e8c`)).toHaveLength(2);
  });

  it('are no hashes and no parts of longer words', () => {
    expect(citedIds('cc78e99a4c02633d7d4c4d1a2ca1d4db sha256 '.repeat(2))).toEqual([]);
    expect(citedIds(`x${UUID}`)).toEqual([]);
  });

  it('are bounded', () => {
    const many = Array.from({ length: 100 }, (_, i) => `pkg_${String(i).padStart(32, '0')}`).join(' ');
    expect(citedIds(many)).toHaveLength(40);
  });
});
