import { createContext } from '../../slices/context/handlers.ts';
import { contextMigrations } from '../../slices/context/migrations.ts';
import { contextOperations } from '../../slices/context/operations.ts';
import type { ContextPorts } from '../../slices/context/ports.ts';
import { forgetAnswersWith } from '../../spine/dispatch/idempotency.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { insideCall } from '../inside-call.ts';
import { isLoopback } from '../settings.ts';
import type { Slice } from '../slice.ts';
import { VERSION } from '../version.ts';

const NO_INPUT = { path: undefined, query: undefined, headers: undefined, body: undefined };

/** Answers that hold a package name its body hash in a header; bundles of several name its id. */
const forgetAnswers: ContextPorts['forgetAnswers'] = (uow, { packageId, bodyHash }) =>
  forgetAnswersWith(uow, [bodyHash, `"package_id":${JSON.stringify(packageId)}`]);

/** What was done and decided, and what is true now: the Agentic Protocol. */
export const contextSlice: Slice = {
  migrations: contextMigrations,
  compose(spine) {
    const context = createContext({
      ...spine,
      forgetAnswers,
      settings: { autocreateProjects: isLoopback(spine.settings.host), version: VERSION },
    });
    const { handlers } = context;
    return {
      operations: bind(contextOperations, handlers),
      offers: {
        async deposit(uow, by, draft) {
          const body = { title: '', ...draft, project: by.projectId };
          await context.depositOwn(uow, { ...insideCall(by, body), input: { ...NO_INPUT, body } });
        },
        async assertFact(uow, by, fact) {
          const body = { subject: '', predicate: '', value: '', ...fact, project: by.projectId };
          await handlers['facts.state'](uow, { ...insideCall(by, body), input: { ...NO_INPUT, body } });
        },
        async retractFact(uow, by, key) {
          const query = { ...key, project: by.projectId };
          await handlers['facts.retract'](uow, { ...insideCall(by, {}), input: { ...NO_INPUT, query } });
        },
      },
    };
  },
};
