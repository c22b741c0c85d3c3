import { nodeHasher } from '../../src/platform/index.ts';
import type { Risk } from '../../src/spine/inbox/item.ts';
import type { TestServer } from '../setup/server.ts';

export const KIND = 'test_question';

/** An agent asks for a decision, as a slice does it. */
export async function askForDecision(
  server: TestServer,
  title: string,
  risk: Risk,
  edits = false,
): Promise<string> {
  const { app } = server;
  const item = await app.db.write((uow) =>
    app.inbox.openItem(uow, {
      kind: KIND,
      projectId: 'default',
      requestedBy: { id: 'builder', type: 'agent' },
      subject: { type: 'action', id: title },
      digest: `jcs-sha256:${nodeHasher.hex(JSON.stringify(title))}`,
      rule: 'rules/ask-first',
      title,
      risk,
      edits,
    }),
  );
  return item.itemId;
}
