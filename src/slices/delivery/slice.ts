/** Who works next, under which gate: AgentXchain v7. The command line calls `commands.ts` instead, without a store. */
import type { JobHandler } from '../../spine/jobs/handler.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import { createConformanceHandlers } from './conformance/handlers.ts';
import { createMirrorHandlers } from './mirror/handlers.ts';
import { registerInboxEffects } from './mirror/inbox-effects.ts';
import { createMirror } from './mirror/mirror.ts';
import type { deliveryOperations } from './operations.ts';
import type { DeliveryDeps } from './ports.ts';

export interface DeliverySlice {
  readonly handlers: Handlers<typeof deliveryOperations>;
  /** By kind of job: applies what a person decided in the inbox to the run that waits for it. */
  readonly jobs: Readonly<Record<string, JobHandler>>;
  /**
   * Records what the runs of every attached repository did since the last call. Call it every few seconds; each event
   * is recorded once, however many servers do. A repository that cannot be read goes to `onError`, and the others are
   * still followed.
   */
  catchUp(onError?: (repositoryId: string, error: unknown) => void): Promise<void>;
}

/** Builds the slice, once for each open store: it registers its kinds of question with the inbox. */
export function createDeliverySlice(deps: DeliveryDeps): DeliverySlice {
  const mirror = createMirror(deps);
  const [kind, handler] = registerInboxEffects({ ...deps, mirror });
  return {
    handlers: { ...createMirrorHandlers({ ...deps, mirror }), ...createConformanceHandlers(deps.version) },
    jobs: { [kind]: handler },
    async catchUp(onError) {
      await mirror.catchUpAll(onError);
    },
  };
}
