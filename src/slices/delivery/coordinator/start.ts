import { formatMillis } from '../../../kernel/instant.ts';
import { phasesOf } from '../config/config.ts';
import { deliveryErrors, illegalTransitionError } from '../errors.ts';
import { startRun } from '../runs/start.ts';
import { initialBarriers } from './rules/barriers.ts';
import type { CoordinatorState } from './state.ts';
import type { Workspace } from './workspace.ts';

/** Starts the super-run: a run in each repository without one, a barrier for each workstream. */
export async function startMulti(workspace: Workspace): Promise<CoordinatorState> {
  return workspace.exclusively(async ({ snapshot, write }) => {
    const { config, state } = snapshot;
    if (state !== null && state.status !== 'completed') {
      const message = `Super-run ${state.super_run_id} is ${state.status}.`;
      throw illegalTransitionError('coordinator.start', message, 'See: baton multi status', 'status');
    }
    await requireSamePhases(workspace, Object.keys(config.repos));
    const runs: Record<string, { run_id: string; status: string }> = {};
    for (const id of Object.keys(config.repos)) {
      const repository = await workspace.repository(id);
      const before = (await repository.snapshot()).state;
      const running =
        before.status === 'idle' || before.status === 'completed'
          ? (await startRun(repository, { restart: true })).state
          : before;
      runs[id] = { run_id: running.run_id ?? '', status: running.status };
    }
    const now = workspace.clock.now();
    const fresh: CoordinatorState = {
      schema_version: '0.1',
      super_run_id: `srun_${Math.floor(now / 1000)}_${workspace.newHex(4)}`,
      project_id: config.project.id,
      status: 'active',
      phase: config.phases[0] ?? 'planning',
      repo_runs: runs,
      pending_gate: null,
      phase_gate_status: {},
    };
    await write({
      kind: 'multi_start',
      state: fresh,
      barriers: initialBarriers(config),
      history: [
        {
          type: 'run_initialized',
          timestamp: formatMillis(now),
          super_run_id: fresh.super_run_id,
          repo_runs: runs,
        },
      ],
    });
    return fresh;
  });
}

/** Repositories with different phases could never meet at a gate. */
async function requireSamePhases(workspace: Workspace, ids: readonly string[]): Promise<void> {
  let expected: { readonly id: string; readonly phases: string } | undefined;
  for (const id of ids) {
    const { config } = await (await workspace.repository(id)).snapshot();
    const phases = phasesOf(config).join(', ');
    expected ??= { id, phases };
    if (phases === expected.phases) continue;
    throw deliveryErrors.refused({
      message: `"${id}" goes through ${phases}, but "${expected.id}" through ${expected.phases}.`,
      next: `Give both the same routing in agentxchain.json.`,
      details: { rule: 'coordinator.same_phases', field: `repos.${id}` },
    });
  }
}
