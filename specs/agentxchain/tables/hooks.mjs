import { working } from './ground.mjs';

const js = (code) => ['node', '-e', code];
const say = (answer) => js(`console.log(${JSON.stringify(JSON.stringify(answer))})`);
const hook = (name, command, more = {}) => ({
  name,
  type: 'process',
  command,
  timeout_ms: 10000,
  mode: 'blocking',
  ...more,
});
const run = (description, hooks, expected, phase = 'before_assignment') => ({
  description,
  type: 'validate',
  setup: { state: working(), config: { roles: { dev: { runtime: 'manual' } }, hooks: { [phase]: hooks } } },
  input: {
    operation: 'run_hooks',
    args: { phase, payload: { run_id: 'run_c1', turn_id: 'turn_1', role: 'dev' } },
  },
  expected: { result: 'success', ...expected },
});
const passes = (entry) => ({ hook_ok: true, blocked: false, audit_entries: [entry] });
const blocks = (entry) => ({ hook_ok: false, blocked: true, audit_entries: [entry] });
const tampers = (code) => ({
  hook_ok: false,
  blocked: false,
  audit_entries: [{ orchestrator_action: 'aborted_tamper', verdict: null, tamper_codes: [code] }],
});
const fs = "const fs=require('fs');";
const allow = 'console.log(\'{"verdict":"allow"}\')';

export const surface = 'hook_audit';
export const tier = 2;
export const prefix = 'BHA';
export const table = [
  run('Without hooks nothing is in the way', [], {
    hook_ok: true,
    blocked: false,
    audit_entry: null,
    audit_entries: [],
  }),
  run(
    'Hooks run one after another',
    [hook('one', say({ verdict: 'allow' })), hook('two', say({ verdict: 'warn', message: 'careful' }))],
    {
      hook_ok: true,
      blocked: false,
      audit_entry: { hook_name: 'one' },
      audit_entries: [
        { hook_name: 'one', orchestrator_action: 'continued' },
        { hook_name: 'two', orchestrator_action: 'warned', message: 'careful' },
      ],
    },
  ),
  run(
    'A warning of a blocking hook does not block',
    [hook('warns', say({ verdict: 'warn' }))],
    passes({ verdict: 'warn', orchestrator_action: 'warned' }),
  ),
  run(
    'What follows a block is recorded as skipped',
    [
      hook('no', say({ verdict: 'block', message: 'stop' })),
      hook('later', say({ verdict: 'allow' })),
      hook('last', say({ verdict: 'allow' })),
    ],
    {
      hook_ok: false,
      blocked: true,
      audit_entries: [
        { hook_name: 'no', hook_id: 'no', orchestrator_action: 'blocked', message: 'stop' },
        {
          hook_name: 'later',
          orchestrator_action: 'skipped',
          verdict: null,
          exit_code: null,
          duration_ms: 0,
        },
        { hook_name: 'last', orchestrator_action: 'skipped' },
      ],
    },
  ),
  run(
    'An advisory block stops nobody after it',
    [hook('no', say({ verdict: 'block' }), { mode: 'advisory' }), hook('yes', say({ verdict: 'allow' }))],
    {
      hook_ok: true,
      blocked: false,
      audit_entries: [
        { orchestrator_action: 'downgraded_block_to_warn', verdict: 'warn' },
        { orchestrator_action: 'continued' },
      ],
    },
  ),
  run(
    'The exit code outweighs the verdict',
    [hook('torn', js(`${allow};process.exitCode=3`))],
    blocks({ verdict: 'block', exit_code: 3, orchestrator_action: 'blocked_failure' }),
  ),
  run(
    'Silence is no verdict',
    [hook('mute', js(''))],
    blocks({ orchestrator_action: 'blocked_invalid_output', exit_code: 0 }),
  ),
  run(
    'An unknown verdict is no verdict',
    [hook('odd', say({ verdict: 'maybe' }))],
    blocks({ orchestrator_action: 'blocked_invalid_output' }),
  ),
  run(
    'Two objects are no verdict',
    [hook('twice', js(`${allow};${allow}`))],
    blocks({ orchestrator_action: 'blocked_invalid_output' }),
  ),
  run(
    'A verdict that repeats a key is none',
    [hook('twofold', js('console.log(\'{"verdict":"block","verdict":"allow"}\')'))],
    blocks({ orchestrator_action: 'blocked_invalid_output' }),
  ),
  run(
    'Annotations are kept',
    [hook('notes', say({ verdict: 'allow', annotations: [{ key: 'risk', value: 'low' }] }))],
    passes({ annotations: [{ key: 'risk', value: 'low' }] }),
  ),
  run(
    'Seventeen annotations are too many',
    [
      hook(
        'chatty',
        say({
          verdict: 'allow',
          annotations: Array.from({ length: 17 }, (_, n) => ({ key: `k${n}`, value: 'v' })),
        }),
      ),
    ],
    blocks({ orchestrator_action: 'blocked_invalid_output' }),
  ),
  run(
    'An annotation key has a form',
    [
      hook('loud', say({ verdict: 'allow', annotations: [{ key: 'Risk!', value: 'x' }] }), {
        mode: 'advisory',
      }),
    ],
    passes({ orchestrator_action: 'warned_invalid_output' }),
  ),
  run(
    'A program that does not exist is a failure',
    [hook('ghost', ['no-such-hook-program'])],
    blocks({ orchestrator_action: 'blocked_failure', exit_code: null, timed_out: false }),
  ),
  run(
    'What a hook complains about is kept, in bounds',
    [hook('noisy', js("process.stderr.write('e'.repeat(9000));process.exit(1)"), { mode: 'advisory' })],
    passes({ stderr_excerpt: 'e'.repeat(4096), orchestrator_action: 'warned_failure' }),
  ),
  run(
    'A hook is told what it is about',
    [
      hook(
        'reads',
        js(
          "const e=JSON.parse(require('fs').readFileSync(0));console.log(JSON.stringify({verdict:e.hook_phase==='before_gate'&&e.hook_name==='reads'&&e.payload.turn_id==='turn_1'&&process.env.AGENTXCHAIN_RUN_ID==='run_c1'&&process.env.EXTRA==='yes'?'allow':'block'}))",
        ),
        { env: { EXTRA: 'yes' } },
      ),
    ],
    passes({ verdict: 'allow', hook_phase: 'before_gate', turn_id: 'turn_1' }),
    'before_gate',
  ),
  run(
    'A hook that does not read its input is within its rights',
    [hook('deaf', js(`process.stdin.destroy();${allow}`))],
    passes({ verdict: 'allow', exit_code: 0 }),
  ),
  run(
    'Time that ran out outweighs a verdict',
    [hook('slow', js(`${allow};setTimeout(()=>{},10000)`), { timeout_ms: 400 })],
    blocks({ timed_out: true, orchestrator_action: 'blocked_timeout' }),
  ),
  run(
    'Changing history is tampering',
    [hook('forger', js(`${fs}fs.appendFileSync('.agentxchain/history.jsonl','{}\\n');${allow}`))],
    tampers('hook_history_tamper'),
  ),
  run(
    'Changing the ledger is tampering',
    [hook('forger', js(`${fs}fs.writeFileSync('.agentxchain/decision-ledger.jsonl','x');${allow}`))],
    tampers('hook_ledger_tamper'),
  ),
  run(
    'Deleting the state is tampering',
    [hook('eraser', js(`${fs}fs.rmSync('.agentxchain/state.json');${allow}`))],
    tampers('hook_state_tamper'),
  ),
  run(
    'Replacing the state by a directory is tampering',
    [
      hook(
        'mason',
        js(`${fs}fs.rmSync('.agentxchain/state.json');fs.mkdirSync('.agentxchain/state.json');${allow}`),
      ),
    ],
    tampers('hook_state_tamper'),
  ),
  run(
    'An advisory hook may not tamper either',
    [hook('sly', js(`${fs}fs.writeFileSync('.agentxchain/state.json','{}');${allow}`), { mode: 'advisory' })],
    tampers('hook_state_tamper'),
  ),
  run(
    'Tampering outweighs failure',
    [hook('clumsy', js(`${fs}fs.writeFileSync('.agentxchain/state.json','{}');process.exit(1)`))],
    tampers('hook_state_tamper'),
  ),
  run(
    'After tampering nothing further is run or recorded',
    [
      hook('forger', js(`${fs}fs.writeFileSync('.agentxchain/state.json','{}');${allow}`)),
      hook('later', say({ verdict: 'allow' })),
    ],
    tampers('hook_state_tamper'),
  ),
  run(
    'Writing the same bytes again is not tampering',
    [
      hook(
        'careful',
        js(`${fs}const f='.agentxchain/state.json';fs.writeFileSync(f,fs.readFileSync(f));${allow}`),
      ),
    ],
    passes({ orchestrator_action: 'continued' }),
  ),
  run(
    'A header whose variable is unset is a failure',
    [
      {
        name: 'web',
        type: 'http',
        url: 'http://127.0.0.1:1/',
        headers: { authorization: 'Bearer $' + '{BATON_CORPUS_UNSET}' },
        timeout_ms: 2000,
        mode: 'blocking',
      },
    ],
    blocks({ transport: 'http', exit_code: 1, orchestrator_action: 'blocked_failure' }),
  ),
  run(
    'A web hook that cannot be reached blocks when it is meant to',
    [{ name: 'web', type: 'http', url: 'http://127.0.0.1:1/', timeout_ms: 2000, mode: 'blocking' }],
    blocks({ transport: 'http', exit_code: 1, timed_out: false, orchestrator_action: 'blocked_failure' }),
  ),
];
