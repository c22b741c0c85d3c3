import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BatonError } from '../../../../kernel/error.ts';
import { asList, asRecord, isString, type LooseRecord, member } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import { runHookPhase } from '../../hooks/run-phase.ts';
import { readRows, rowsText } from '../../repository/files.ts';
import { FILES, stagingPath, within } from '../../repository/paths.ts';
import { openRepository } from '../../repository/repository.ts';
import { accept } from '../../turns/accept.ts';
import { inflateConfig, inflateFiles, inflateHistory, inflateState } from '../inflate.ts';
import type { Verb, VerbDeps } from '../verb.ts';

/** Hooks are other programs: they run in a temporary directory with the governed files. */
export const runHooksVerb: Verb = async (args, setup, deps) => {
  const rawConfig = inflateConfig(setup.config);
  const config = readConfig(rawConfig);
  const state = inflateState(setup.state, rawConfig);
  const phase = String(args.phase ?? '');
  const payload = asRecord(args.payload);
  const root = await mkdtemp(join(tmpdir(), 'baton-conform-'));
  try {
    await materialize(root, {
      [FILES.config]: JSON.stringify(rawConfig),
      [FILES.state]: JSON.stringify(state),
      [FILES.history]: '',
      [FILES.ledger]: '',
      ...Object.fromEntries(inflateFiles(setup.filesystem)),
    });
    const verdict = await runHookPhase({
      root,
      phase,
      hooks: member(config.hooks, phase) ?? [],
      runId: isString(payload.run_id) ? payload.run_id : state.run_id,
      turnId: isString(payload.turn_id) ? payload.turn_id : null,
      payload,
      clock: deps.clock,
    });
    return {
      result: 'success',
      hook_ok: verdict.ok,
      blocked: verdict.blocked,
      audit_entry: verdict.entries[0] ?? null,
      audit_entries: verdict.entries,
    };
  } finally {
    for (const folder of [root, `${root}.keep`]) await rm(folder, { recursive: true, force: true });
  }
};

class PowerLoss extends Error {}

/**
 * Ours, beyond the protocol: accepts a turn in a real repository, loses power before `crash_before`, and accepts it
 * again. The answer is what is on the disk afterwards.
 */
export const acceptTurnWithCrashVerb: Verb = async (args, setup, deps) => {
  const root = await mkdtemp(join(tmpdir(), 'baton-conform-'));
  const turnId = String(args.turn_id ?? '');
  try {
    await materialize(root, repositoryFiles(turnId, setup));
    const first = await attempt(root, turnId, deps, String(args.crash_before ?? ''));
    const again = first === 'power_lost' ? await attempt(root, turnId, deps, undefined) : first;
    const repository = openRepository({ root, keepIn: `${root}.keep`, ...deps });
    const rows = async (file: string) => readRows(within(root, file));
    const { state } = await repository.snapshot();
    return {
      result: 'success',
      first_attempt: first,
      second_attempt: again,
      state,
      history_length: (await rows(FILES.history)).length,
      history_turns: (await rows(FILES.history)).map((row) => row.turn_id),
      ledger_length: (await rows(FILES.ledger)).length,
      events: (await rows(FILES.events)).map((row) => row.event_type),
    };
  } finally {
    for (const folder of [root, `${root}.keep`]) await rm(folder, { recursive: true, force: true });
  }
};

async function attempt(
  root: string,
  turnId: string,
  deps: VerbDeps,
  crashBefore: string | undefined,
): Promise<string> {
  const faults = (step: string) => {
    if (crashBefore !== undefined && step.startsWith(crashBefore)) throw new PowerLoss();
  };
  try {
    return (await accept(openRepository({ root, keepIn: `${root}.keep`, ...deps, faults }), { turnId }))
      .outcome;
  } catch (error) {
    if (error instanceof PowerLoss) return 'power_lost';
    if (error instanceof BatonError) return error.code;
    throw error;
  }
}

function repositoryFiles(turnId: string, setup: LooseRecord): Record<string, string> {
  const config = inflateConfig(setup.config);
  const state = inflateState(setup.state, config);
  return {
    [FILES.config]: JSON.stringify(config),
    [FILES.state]: JSON.stringify(state),
    [FILES.history]: rowsText(inflateHistory(setup.history, state)),
    [FILES.ledger]: rowsText(asList(setup.ledger) as readonly object[]),
    [stagingPath(turnId)]: JSON.stringify(setup.turn_result ?? null),
  };
}

async function materialize(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(within(root, path)), { recursive: true });
    await writeFile(within(root, path), text);
  }
}
