import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BatonError } from '../../../../kernel/error.ts';
import { asList, type Doc } from '../../document.ts';
import { FILES, stagingPath, within } from '../../repository/paths.ts';
import { openRepository } from '../../repository/repository.ts';
import { readRows, rowsText } from '../../repository/row-file.ts';
import { accept } from '../../turns/accept.ts';
import { inflateConfig, inflateHistory, inflateState } from '../inflate.ts';
import type { Operation, Tools } from '../operation.ts';

class PowerLoss extends Error {}

/**
 * Ours, beyond the protocol's verbs: accepts a turn in a real repository, loses the power before `crash_before`, and
 * accepts it again. What is answered is what lies on the disk afterwards.
 */
export const acceptTurnWithCrashOperation: Operation = async (args, setup, tools) => {
  const root = await mkdtemp(join(tmpdir(), 'baton-conform-'));
  const turnId = String(args.turn_id ?? '');
  try {
    await materialize(root, turnId, setup);
    const first = await attempt(root, turnId, tools, String(args.crash_before ?? ''));
    const again = first === 'power_lost' ? await attempt(root, turnId, tools, undefined) : first;
    const repository = openRepository({ root, ...tools });
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
    await rm(root, { recursive: true, force: true });
  }
};

async function attempt(
  root: string,
  turnId: string,
  tools: Tools,
  crashBefore: string | undefined,
): Promise<string> {
  const faults = (step: string) => {
    if (crashBefore !== undefined && step.startsWith(crashBefore)) throw new PowerLoss();
  };
  try {
    return (await accept(openRepository({ root, ...tools, faults }), { turnId })).outcome;
  } catch (error) {
    if (error instanceof PowerLoss) return 'power_lost';
    if (error instanceof BatonError) return error.code;
    throw error;
  }
}

async function materialize(root: string, turnId: string, setup: Doc): Promise<void> {
  const config = inflateConfig(setup.config);
  const state = inflateState(setup.state, config);
  const files: Record<string, string> = {
    [FILES.config]: JSON.stringify(config),
    [FILES.state]: JSON.stringify(state),
    [FILES.history]: rowsText(inflateHistory(setup.history, state)),
    [FILES.ledger]: rowsText(asList(setup.ledger) as readonly object[]),
    [stagingPath(turnId)]: JSON.stringify(setup.turn_result ?? null),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(within(root, path)), { recursive: true });
    await writeFile(within(root, path), text);
  }
}
