import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { capabilities } from './capabilities.ts';
import { execute } from './execute.ts';
import type { conformanceOperations } from './operations.ts';

export function createConformanceHandlers(version?: string): Handlers<typeof conformanceOperations> {
  return {
    'conform.capabilities': async () => ({ body: capabilities(version) as Record<string, unknown> }),
    // Judged from the strict reader's tree, not from the typed view.
    'conform.execute': async ({ document }) => ({
      body: await execute(document?.plain as LooseRecord | undefined),
    }),
  };
}
