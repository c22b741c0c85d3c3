/** Requests that a server must refuse and requests that it must accept: sections 3.2 and 3.4, member by member. */
import { asRecord, type LooseRecord } from '../../../../../src/kernel/json/loose.ts';
import { assert } from '../../assertions.ts';
import { ALLOW_ALL } from '../bench.ts';
import { assertStatus, type ConformanceCase, carp } from '../case.ts';

export interface RequestCase {
  readonly id: string;
  readonly covers: readonly string[];
  /** Members to add to a valid request, as `requester` and `task` do to those. */
  readonly set?: LooseRecord;
  /** Members to remove from it. */
  readonly without?: readonly string[];
  readonly requester?: LooseRecord;
  readonly task?: LooseRecord;
  readonly valid: boolean;
}

const NOT_A_UUID = 'not-a-uuid';

export const requestCases: readonly RequestCase[] = [
  { id: 'version_other', covers: ['R2'], set: { carp_version: '2.0' }, valid: false },
  { id: 'version_number', covers: ['R2'], set: { carp_version: 1 }, valid: false },
  { id: 'version_missing', covers: ['R2'], without: ['carp_version'], valid: false },
  { id: 'request_id_missing', covers: ['R3'], without: ['request_id'], valid: false },
  { id: 'request_id_no_uuid', covers: ['R3'], set: { request_id: NOT_A_UUID }, valid: false },
  { id: 'request_id_number', covers: ['R3'], set: { request_id: 7 }, valid: false },
  { id: 'timestamp_missing', covers: ['R4'], without: ['timestamp'], valid: false },
  { id: 'timestamp_text', covers: ['R4'], set: { timestamp: 'yesterday' }, valid: false },
  { id: 'timestamp_without_zone', covers: ['R4'], set: { timestamp: '2026-01-01T00:00:00' }, valid: false },
  { id: 'timestamp_number', covers: ['R4'], set: { timestamp: 1_700_000_000 }, valid: false },
  { id: 'operation_missing', covers: ['R5'], without: ['operation'], valid: false },
  { id: 'operation_unknown', covers: ['R5'], set: { operation: 'delete' }, valid: false },
  { id: 'operation_upper_case', covers: ['R5'], set: { operation: 'RESOLVE' }, valid: false },
  { id: 'requester_missing', covers: ['R6', 'R7'], without: ['requester'], valid: false },
  { id: 'requester_text', covers: ['R6'], set: { requester: 'me' }, valid: false },
  { id: 'agent_missing', covers: ['R6'], requester: { agent_id: undefined }, valid: false },
  { id: 'agent_empty', covers: ['R6'], requester: { agent_id: '' }, valid: false },
  { id: 'agent_too_long', covers: ['R6'], requester: { agent_id: 'a'.repeat(256) }, valid: false },
  { id: 'session_missing', covers: ['R7'], requester: { session_id: undefined }, valid: false },
  { id: 'session_no_uuid', covers: ['R7'], requester: { session_id: NOT_A_UUID }, valid: false },
  { id: 'parent_null', covers: ['R8'], requester: { parent_session_id: null }, valid: true },
  { id: 'parent_no_uuid', covers: ['R8'], requester: { parent_session_id: NOT_A_UUID }, valid: false },
  { id: 'requester_unknown_member', covers: ['R97'], requester: { role: 'admin' }, valid: false },
  { id: 'task_missing', covers: ['R9'], without: ['task'], valid: false },
  { id: 'goal_missing', covers: ['R9'], task: { goal: undefined }, valid: false },
  { id: 'goal_empty', covers: ['R9'], task: { goal: '' }, valid: false },
  { id: 'goal_number', covers: ['R9'], task: { goal: 5 }, valid: false },
  { id: 'goal_longest', covers: ['R9'], task: { goal: 'g'.repeat(10_000) }, valid: true },
  { id: 'goal_too_long', covers: ['R9'], task: { goal: 'g'.repeat(10_001) }, valid: false },
  { id: 'goal_other_scripts', covers: ['R9', 'R83'], task: { goal: 'Überprüfe 注文 🧾' }, valid: true },
  { id: 'tier_unknown', covers: ['R10'], task: { risk_tier: 'extreme' }, valid: false },
  { id: 'tier_low', covers: ['R10'], task: { risk_tier: 'low' }, valid: true },
  { id: 'tier_critical', covers: ['R10'], task: { risk_tier: 'critical' }, valid: true },
  { id: 'hints_text', covers: ['R11'], task: { context_hints: 'all' }, valid: false },
  { id: 'hints_numbers', covers: ['R11'], task: { context_hints: [1] }, valid: false },
  { id: 'hints_empty', covers: ['R11'], task: { context_hints: [] }, valid: true },
  { id: 'capabilities_text', covers: ['R11'], task: { required_capabilities: 'read' }, valid: false },
  { id: 'capabilities_empty', covers: ['R11'], task: { required_capabilities: [] }, valid: true },
  { id: 'task_unknown_member', covers: ['R97'], task: { mood: 'good' }, valid: false },
  { id: 'atlases_text', covers: ['R12'], set: { atlas_ids: 'com.example.a' }, valid: false },
  { id: 'atlases_bad_id', covers: ['R12', 'R71'], set: { atlas_ids: ['Com.Example'] }, valid: false },
  { id: 'context_array', covers: ['R12'], set: { context: [] }, valid: false },
  { id: 'context_text', covers: ['R12'], set: { context: 'prod' }, valid: false },
  { id: 'context_nested', covers: ['R12'], set: { context: { a: { b: [1, 2.5, null] } } }, valid: true },
  { id: 'unknown_member', covers: ['R97'], set: { priority: 1 }, valid: false },
  { id: 'execute_at_resolve', covers: ['R5'], set: { operation: 'execute' }, valid: false },
];

const NOT_OBJECTS = {
  cut_short: '{"a":',
  empty: undefined,
  array: '[]',
  string: '"text"',
  duplicate_member: '{"a":1,"a":2}',
};

export const requestConformance: readonly ConformanceCase[] = [
  ...requestCases.map((each) =>
    carp(`schema.carp.request.${each.id}`, each.covers, async (bench) => {
      await bench.loadRules([ALLOW_ALL], ['item.get']);
      const base = bench.request(await bench.start());
      const request: Record<string, unknown> = {
        ...base,
        ...(each.requester && { requester: { ...asRecord(base.requester), ...each.requester } }),
        ...(each.task && { task: { ...asRecord(base.task), ...each.task } }),
        ...each.set,
      };
      for (const member of each.without ?? []) delete request[member];
      const reply = await bench.send('POST', '/v1/resolve', request);
      assertStatus(reply, each.valid ? 200 : 400);
      if (each.valid) bench.fits('carp-resolution', reply.json);
      else assert(typeof reply.json?.error?.code === 'string', 'the error has no code', reply.json);
    }),
  ),
  ...Object.entries(NOT_OBJECTS).map(([name, text]) =>
    carp(`schema.json.${name}`, ['R80'], async (bench) => {
      const headers = { 'content-type': 'application/json' };
      assertStatus(await bench.send('POST', '/v1/resolve', text, { headers }), 400);
    }),
  ),
];
