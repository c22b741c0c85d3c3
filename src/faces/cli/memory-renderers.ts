import pc from 'picocolors';
import { table, withLocalNames } from './output.ts';

type Body = Record<string, unknown>;

const words = (value: unknown) => (value as readonly string[] | undefined)?.join(', ');

/** What was found is read for its text: no line of it is cut to the width of a column. */
export const points = (score: unknown) => (score === undefined ? '   -' : Number(score).toFixed(2));
export const ASIDE = '      ';

function recalled(body: Body): string {
  const found = body.memories as Body[];
  if (found.length === 0) return NONE();
  return found
    .map(({ type, memory, score }) => {
      const { id, content, category } = memory as Body;
      const about = pc.dim(`${ASIDE}${[type, category, id].filter(Boolean).join(', ')}`);
      return `${points(score)}  ${content}\n${about}`;
    })
    .join('\n');
}

const NONE = () => pc.dim('No memories that you may see.');

function memories(body: Body): string {
  const found = body.memories as Body[];
  if (found.length === 0) return NONE();
  return table(
    found.map(({ type, memory, confidence }) => {
      const { id, content, category, status } = memory as Body;
      return { id, content, type, category, confidence, status };
    }),
  );
}

export const memoryRenderers: Readonly<Record<string, (body: Body) => string>> = {
  'memory.list': memories,
  'memory.recall': recalled,
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
