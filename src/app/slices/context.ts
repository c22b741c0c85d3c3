import { createContext } from '../../context/handlers.ts';
import { contextMigrations } from '../../context/migrations.ts';
import { contextOperations } from '../../context/operations.ts';
import { bind } from '../../dispatch/registry.ts';
import type { Slice } from '../slice.ts';
import { VERSION } from '../version.ts';

/** What was done and decided, and what is true now: the Agentic Protocol. */
export const contextSlice: Slice = {
  migrations: contextMigrations,
  compose(spine) {
    const context = createContext({
      ...spine,
      settings: { autocreateProjects: isLoopback(spine.settings.host), version: VERSION },
    });
    return { operations: bind(contextOperations, context.handlers) };
  },
};

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
