import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Hook } from '../config/config.ts';
import type { Doc } from '../document.ts';

export interface HookCall {
  readonly hook: Hook;
  readonly phase: string;
  readonly root: string;
  readonly runId: string | null;
  readonly payload: Doc;
  readonly now: Micros;
}

/** What a hook is told, over either transport. */
export function envelope(call: HookCall): string {
  return JSON.stringify({
    hook_phase: call.phase,
    hook_name: call.hook.name,
    run_id: call.runId,
    project_root: call.root,
    timestamp: formatMillis(call.now),
    payload: call.payload,
  });
}
