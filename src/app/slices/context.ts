import { contextMigrations } from '../../slices/context/migrations.ts';
import { contextOperations } from '../../slices/context/operations.ts';
import type { ContextPorts } from '../../slices/context/ports.ts';
import { createContextSlice } from '../../slices/context/slice.ts';
import { forgetAnswersWith } from '../../spine/dispatch/idempotency-store.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { isLoopback } from '../settings.ts';
import type { Slice } from '../slice.ts';
import { VERSION } from '../version.ts';

/** Responses with one package name its body hash in a header; bundles of several name its id. */
const forgetAnswers: ContextPorts['forgetAnswers'] = (uow, { packageId, bodyHash }) =>
  forgetAnswersWith(uow, [bodyHash, `"package_id":${JSON.stringify(packageId)}`]);

/** What was done and decided, and what is true now: the Agentic Protocol. */
export const contextSlice: Slice = {
  migrations: contextMigrations,
  compose(spine) {
    const { handlers, ...offers } = createContextSlice({
      ...spine,
      forgetAnswers,
      settings: { autocreateProjects: isLoopback(spine.settings.host), version: VERSION },
    });
    return { operations: bind(contextOperations, handlers), offers };
  },
};
