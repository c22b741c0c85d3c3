import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readConfig } from '../../config/rules/read.ts';
import { asDoc, isText, member } from '../../document.ts';
import { runHookPhase } from '../../hooks/run-phase.ts';
import { inflateConfig, inflateFiles, inflateState } from '../inflate.ts';
import type { Operation } from '../operation.ts';

/** Hooks are other programs: they run in a workspace of their own that holds the governed files. */
export const runHooksOperation: Operation = async (args, setup, tools) => {
  const rawConfig = inflateConfig(setup.config);
  const config = readConfig(rawConfig);
  const state = inflateState(setup.state, rawConfig);
  const phase = String(args.phase ?? '');
  const payload = asDoc(args.payload);
  const root = await mkdtemp(join(tmpdir(), 'baton-conform-'));
  try {
    await materialize(root, {
      'agentxchain.json': JSON.stringify(rawConfig),
      '.agentxchain/state.json': JSON.stringify(state),
      '.agentxchain/history.jsonl': '',
      '.agentxchain/decision-ledger.jsonl': '',
      ...Object.fromEntries(inflateFiles(setup.filesystem)),
    });
    const verdict = await runHookPhase({
      root,
      phase,
      hooks: member(config.hooks, phase) ?? [],
      runId: isText(payload.run_id) ? payload.run_id : state.run_id,
      turnId: isText(payload.turn_id) ? payload.turn_id : null,
      payload,
      clock: tools.clock,
    });
    return {
      result: 'success',
      hook_ok: verdict.ok,
      blocked: verdict.blocked,
      audit_entry: verdict.entries[0] ?? null,
      audit_entries: verdict.entries,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};

async function materialize(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
