import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/kernel/json/reader.ts';
import type { JsonObject } from '../../../src/kernel/json/value.ts';
import { writeJson } from '../../../src/kernel/json/write.ts';
import { joinProfile, splitProfile } from '../../../src/slices/memory/transfer/rules.ts';
import { consentReadings } from './consent.ts';
import { faults } from './faults.ts';
import { memoryReadings } from './memories.ts';
import { proposalReadings } from './proposals.ts';
import { wireReadings } from './wire.ts';

/** One row for each place where the protocol contradicts itself, and one for each fault of its reference to avoid. */

const readings = [...proposalReadings, ...memoryReadings, ...consentReadings, ...wireReadings].sort(
  ([a], [b]) => a - b,
);

describe('the readings', () => {
  it('are all here', () =>
    expect([readings.map(([at]) => at), faults.map(([at]) => at)]).toEqual([
      Array.from({ length: 37 }, (_, at) => at + 1),
      Array.from({ length: 12 }, (_, at) => at + 1),
    ]));
  it.each(readings)('%i: %s', (_, __, check) => check());
});

describe('the faults of the reference', () => {
  it.each(faults)('%i: %s', (_, __, check) => check());
});

describe('a profile', () => {
  it('comes out of an import byte for byte as it went in', () => {
    const text =
      '{"id":"did:a2p:user:local:ana","version":"1.0","x":1.0,"memories":{"a2p:professional":{"skills":["a"]},"a2p:semantic":[{"id":"mem_001","content":"x","confidence":0.90}],"a2p:episodic":[]},"accessPolicies":[{"id":"policy_1"}],"pendingProposals":[]}';
    expect(writeJson(joinProfile(splitProfile(readJson(text) as JsonObject)))).toBe(text);
  });
});
