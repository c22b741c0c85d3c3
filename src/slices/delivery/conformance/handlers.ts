import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { execute } from './execute.ts';
import type { conformanceOperations } from './operations.ts';

export function createConformanceHandlers(version?: string): Handlers<typeof conformanceOperations> {
  return {
    'conform.capabilities': async () => ({ body: capabilities(version) as Record<string, unknown> }),
    // Judged from the strict reader's tree, not from the typed view.
    'conform.execute': async ({ document }) => ({
      body: await execute(document?.plain as LooseRecord | undefined),
    }),
  };
}

const SURFACES: readonly string[] = [
  'state_machine',
  'turn_result_validation',
  'gate_semantics',
  'decision_ledger',
  'history',
  'config_schema',
  'delegation',
  'decision_carryover',
  'parallel_turns',
  'event_lifecycle',
  'dispatch_manifest',
  'hook_audit',
  'coordinator',
];

/** The answer of `GET /conform/capabilities`; the repository's capabilities.json claims the same over stdio. */
export function capabilities(version = '0.1.0'): LooseRecord {
  return {
    implementation: 'baton',
    version,
    protocol_version: 'v7',
    adapter: { protocol: 'http-fixture-v1' },
    tiers: [1, 2, 3],
    surfaces: Object.fromEntries(SURFACES.map((surface) => [surface, true])),
    metadata: { name: 'Baton' },
  };
}
