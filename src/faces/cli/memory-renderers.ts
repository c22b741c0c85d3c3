import pc from 'picocolors';
import { visible } from '../../kernel/visible-text.ts';
import { table, withLocalNames } from './output.ts';

type Body = Record<string, unknown>;

const words = (value: unknown) => (value as readonly string[] | undefined)?.join(', ');

function memories(body: Body): string {
  const found = body.memories as Body[];
  if (found.length === 0) return pc.dim('No memories that you may see.');
  return table(
    found.map(({ type, memory, confidence, score }) => {
      const { id, content, category, status } = memory as Body;
      return { id, content, type, category, confidence, ...(score !== undefined && { score }), status };
    }),
  );
}

/** What was packed for a prompt is quoted already. */
export function packedText({ text, passages, repeats, left_out }: Body): string {
  if (passages === 0) return pc.dim('Nothing found that fits.');
  const rest = `Left out: ${repeats} that say nothing new, ${left_out} for lack of room.`;
  return `${visible(String(text))}\n${pc.dim(rest)}`;
}

export const memoryRenderers: Readonly<Record<string, (body: Body) => string>> = {
  'memory.list': memories,
  'memory.recall': (body) => (body.packed === undefined ? memories(body) : packedText(body.packed as Body)),
  'memory.proposals.list': (body) => {
    const proposals = body.proposals as Body[];
    if (proposals.length === 0) return pc.dim('No proposals.');
    return table(
      proposals.map(({ id, agentDid, content, category, memory_type, status, expiresAt }) => ({
        id,
        by: withLocalNames(String(agentDid)),
        content,
        category,
        type: memory_type,
        status,
        expires_at: expiresAt,
      })),
    );
  },
  'memory.policies': (body) => {
    const policies = body.policies as Body[];
    if (policies.length === 0) return pc.dim('No policies: nobody may read or propose anything.');
    return table(
      policies.map(({ id, name, agentPattern, permissions, allow, deny }) => ({
        id,
        name,
        agents: agentPattern,
        may: words(permissions),
        allow: words(allow),
        deny: words(deny),
      })),
    );
  },
  'memory.access': (body) => {
    const receipts = body.receipts as Body[];
    if (receipts.length === 0) return pc.dim('No access has been granted.');
    return table(
      receipts.map(
        ({ receiptId, agentDid, permissions, grantedScopes, expiresAt, revokedAt, accessLog }) => ({
          receipt: receiptId,
          agent: withLocalNames(String(agentDid)),
          may: words(permissions),
          scopes: words(grantedScopes),
          used: (accessLog as readonly unknown[]).length,
          until: expiresAt,
          revoked_at: revokedAt,
        }),
      ),
    );
  },
};
