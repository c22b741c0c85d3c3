/**
 * Where each requirement (R) of CRA 1.0 and each choice that its text leaves open (D) is tested: by a case of the
 * conformance suite, or by a test that is named by its title. Cases say themselves which requirements they bear on.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { craCases } from '../../packages/conformance/src/cra/cases/index.ts';

/** What a server cannot be asked from outside. */
const REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  R1: ['finds nothing wrong with our own server'],
  R51: ['hands out context in order, takes secrets out, and records what the agent was given'],
  R58: ['sees one event between others, not a change of everything after it'],
  R59: ['follows each call to its end'],
  R60: ['a server drops the payloads of sessions that ended before the days it is told'],
  R61: ['a server drops the payloads of sessions that ended before the days it is told'],
  R63: ['is read with its parts and files, and told about', 'tells what is wrong with it'],
  R64: ['is read with its parts and files, and told about'],
  R96: ['finds nothing wrong with our own server'],
  R104: ['knows an actor by a client certificate that was bound to it, and no other'],
  R108: [
    'a server with a payload key keeps no payload in the clear, answers with all of them, and verifies',
    'show nothing there, and are read, exported, proved and verified as what was hashed',
  ],
  R109: ['takes out what looks like a secret, and every match of the patterns in the file'],
  R113: ['are read as they are written'],
};

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  D1: [
    'hash to the published values when read leniently, all 33',
    'are told apart by profile where profiles differ',
  ],
  D2: ['takes a plain number as JSON would have written it', 'is what Python computes, for random events'],
  D3: ['keeps a plain number only where it loses nothing'],
  D4: [
    'goes on where an earlier unit stopped, and hashes exactly what goes over the wire',
    'trace.timestamps',
  ],
  D5: ['hash to the published values when read leniently, all 33'],
  D6: ['takes an absent parent for none'],
  D7: [
    'hash to the published values when read leniently, all 33',
    'makes members of __proto__ and constructor',
  ],
  D8: ['collide in the published pairs, of which the strict syntax takes only the honest one'],
  D9: ['is refused with a field missing, unknown or twice', 'must be as we write it to be exact'],
  D10: [
    'shows an edited payload by its hash, also in the first event',
    'shows events of another session or trace, however well they are linked',
  ],
  D11: ['shows all that is wrong, event by event, link before sequence before hash'],
  D12: ['pass through the strict reader, all but three'],
  D13: ['give the published hashes of parameters', 'trace.parameters_hash'],
  D14: ['carry the millisecond, the version and the variant', 'trace.ids'],
  D15: ['report a cut tail as not ended and a step back in time as a warning'],
  D16: ['a server that is told so takes secrets out before it hashes, and reads Atlases in other spellings'],
  D20: ['policy.default_deny', 'policy.default_deny_rest'],
  D21: ['are refused by the schema, and read as its own when asked for, with a warning each'],
  D22: [
    'are refused by the schema, and read as its own when asked for, with a warning each',
    'policy.actions_absent_means_all',
  ],
  D23: [
    'are refused by the schema, and read as its own when asked for, with a warning each',
    'resolution.denied_action',
  ],
  D24: ['policy.deny_wins_over_priority', 'policy.deny_by_priority', 'policy.deny_by_order'],
  D25: ['agrees with a naive reading of section 5.5 on verdict and rule for 10,000 random sets'],
  D26: ['policy.tier_of_task', 'policy.tier_of_action'],
  D27: ['policy.conditions_all_must_hold', 'atlas.manifest.policy_condition_unknown'],
  D28: [
    'agrees with a naive reading of section 5.5 on verdict and rule for 10,000 random sets',
    'brings the packs of a capability when it is asked for',
  ],
  D29: ['policy.context_matches', 'policy.context_differs'],
  D30: ['follow the clock of their zone through a change to summer time'],
  D31: ['policy.glob_prefix', 'policy.glob_suffix', 'policy.glob_dot_is_literal'],
  D32: [
    'counts calls over a sliding window, shows what is left, and says when to come back',
    'execute.resolve_uses_no_quota',
  ],
  D33: [
    'spend to the last cent and free what has left the window',
    'gives back what a failed call cost where the policy says so',
  ],
  D34: [
    'waits for a person, runs only after the approval, and never when it is rejected',
    'policy.approval_mixed',
  ],
  D35: ['only logs what an Atlas in log mode would have stopped', 'trace.evaluations'],
  D36: ['policy.no_actions', 'policy.capability_unknown'],
  D37: ['lets an Atlas grant only its own actions, but lets it refuse those of others'],
  D38: ['rule.atlas_unknown'],
  D39: ['execute.members'],
  D40: ['validates without keeping anything', 'validate.keeps_nothing'],
  D41: ['gives every rule of section 3.6 its own error, and traces it'],
  D42: ['gives the trace as an array, in an envelope, in lines, and live from any place'],
  D43: ['resolution.ttl'],
  D44: ['rule.clock_within', 'rule.clock_behind', 'rule.clock_ahead'],
  D45: ['answers the same idempotency key with the first answer, and refuses it for other parameters'],
  D46: ['fails an action that has no executor, or whose executor is too slow'],
  D47: ['golden.library.trace', 'trace.order.resolve', 'context.injected'],
  D48: ['trace.order.execute'],
  D49: ['trace.one_trace_id', 'trace.parents'],
  D50: ['hands out context in order, takes secrets out, and records what the agent was given'],
  D51: ['context.order'],
  D52: ['leaves out whole files that no longer fit the budget of their pack'],
  D53: [
    'atlas.context.missing_file',
    'may not reach outside, neither by path nor by link, nor hold a file of more than 1 MiB',
  ],
  D54: ['stand behind the manifest’s own, in the order of the file names'],
  D55: ['a server that is told so takes secrets out before it hashes, and reads Atlases in other spellings'],
  D56: ['http.websocket', 'gives the trace as an array, in an envelope, in lines, and live from any place'],
  D57: ['decides the recorded requests again and comes to the same', 'says what it lacks'],
  D58: [
    'are refused by the schema, and read as its own when asked for, with a warning each',
    'are not taken where a glob would then match an action that it did not match',
  ],
  D59: ['atlas.manifest.version_prerelease'],
  D60: ['keeps sessions to their owners', 'rule.session_of_other'],
};

const numbered = (letter: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${letter}${from + at}`);
const root = join(import.meta.dirname, '../..');
const tests = ['src', 'packages', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.test.ts') && !path.endsWith(join('requirements', 'cra.test.ts')))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const caseIds = new Set(craCases.map(({ id }) => id));

describe('CRA 1.0', () => {
  it('has a test for each of the 114 requirements', () => {
    const covered = new Set(craCases.flatMap(({ covers }) => covers));
    const bare = numbered('R', 1, 114).filter((row) => !covered.has(row) && !REQUIREMENTS[row]);
    expect(bare).toEqual([]);
  });

  it('has a test for each choice that its text leaves open', () => {
    const rows = [...numbered('D', 1, 16), ...numbered('D', 20, 60)];
    expect(Object.keys(CHOICES)).toEqual(rows);
  });

  it.each(Object.entries({ ...REQUIREMENTS, ...CHOICES }))(
    '%s is tested where the table says',
    (_, names) => {
      const gone = names.filter((name) => !caseIds.has(name) && !tests.includes(`'${name}'`));
      expect(gone).toEqual([]);
    },
  );
});
