import { describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { MULTI_KEYS } from '../../coordinator/config-keys.ts';
import { SMALL_CONFIG } from '../../testing.ts';
import { CONFIG_KEYS } from '../keys/config-keys.ts';
import { presets } from '../presets.ts';
import { scaffoldConfig, TEMPLATES } from '../scaffold.ts';
import { unknownKeys } from './unknown-keys.ts';

const found = (document: unknown, keys = CONFIG_KEYS) => {
  const { refused, ignored } = unknownKeys(document, keys);
  return { refused: refused.map(({ field }) => field), ignored: ignored.map(({ field }) => field) };
};
const gate = (members: LooseRecord) => ({ gates: { ship: members } });

describe('keys that nobody reads', () => {
  it('are none in what we write ourselves', () => {
    expect(found(SMALL_CONFIG)).toEqual({ refused: [], ignored: [] });
    for (const template of Object.keys(TEMPLATES))
      for (const preset of [undefined, ...presets])
        expect(
          found(
            scaffoldConfig({
              id: 'a',
              name: 'A',
              template,
              ...(preset && { agents: [{ id: 'agent', runtime: preset.runtime({}), roles: ['dev'] }] }),
            }),
          ),
        ).toEqual({ refused: [], ignored: [] });
  });

  it.each([
    [gate({ requires_human_aproval: true }), 'gates.ship.requires_human_aproval'],
    [gate({ needs_a_person: true }), 'gates.ship.needs_a_person'],
    [gate({ gate_actions: [{ run: 'x', retries: 2 }] }), 'gates.ship.gate_actions.0.retries'],
    [{ routing: { qa: { exit_gat: 'ship' } } }, 'routing.qa.exit_gat'],
    [{ routing: { qa: { reviewers: 2 } } }, 'routing.qa.reviewers'],
    [{ policies: [{ id: 'a', unless: 'x' }] }, 'policies.0.unless'],
    [{ policies: [{ id: 'a', params: { most: 1 } }] }, 'policies.0.params.most'],
    [{ approval_policy: { phase_transition: {} } }, 'approval_policy.phase_transition'],
    [
      { approval_policy: { run_completion: { action: 'auto_approve', when: { it_is_late: true } } } },
      'approval_policy.run_completion.when.it_is_late',
    ],
    [{ buget: { per_run_max_usd: 1 } }, 'buget'],
    [{ budget: { per_run_max_uds: 1 } }, 'budget.per_run_max_uds'],
    [{ runtimes: { a: { type: 'local_cli', comand: ['x'] } } }, 'runtimes.a.comand'],
    [{ hooks: { before_gates: [] } }, 'hooks.before_gates'],
  ])('are refused where they would let something through, or look like a slip: %j', (document, field) => {
    expect(found(document)).toEqual({ refused: [field], ignored: [] });
  });

  it('are named with what was meant', () => {
    expect(unknownKeys(gate({ requires_human_aproval: true }), CONFIG_KEYS).refused).toMatchObject([
      { message: expect.stringContaining('did you mean requires_human_approval?') },
    ]);
  });

  it('are only mentioned elsewhere, since another runner may know them', () => {
    expect(
      found({ dashboard: {}, roles: { dev: { colour: 'red' } }, runtimes: { a: { region: 'eu' } } }),
    ).toEqual({
      refused: [],
      ignored: ['dashboard', 'roles.dev.colour', 'runtimes.a.region'],
    });
  });

  it('may be annotations, and the names that a project chooses are no keys', () => {
    const document = {
      $schema: 'x',
      ...gate({ 'x-why': 'because' }),
      runtimes: { comand: { type: 'local_cli', env: { CI: '1' }, headers: { comand: 'x' } } },
    };
    expect(found(document)).toEqual({ refused: [], ignored: [] });
  });

  it('are found in a coordinator’s file, too', () => {
    const document = { workstreams: { a: { depend_on: [] } }, gates: { g: { person: true } }, note: 1 };
    expect(found(document, MULTI_KEYS)).toEqual({
      refused: ['workstreams.a.depend_on', 'gates.g.person'],
      ignored: ['note'],
    });
  });
});
