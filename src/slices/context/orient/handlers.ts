import { type Handlers, JsonText } from '../../../spine/operations/handler.ts';
import { foundBy, packedBody } from '../../../spine/search/packed-body.ts';
import { packPassages } from '../../../spine/search/rules/pack.ts';
import { jsonAnswer, PROTOCOL_HEADERS } from '../answer.ts';
import type { ContextDeps } from '../ports.ts';
import { countProject } from './counts.ts';
import { createDigest } from './digest.ts';
import type { orientOperations } from './operations.ts';
import { createOrient } from './orient.ts';
import { passageOf, searchVisible } from './search.ts';

export function createOrientHandlers(deps: ContextDeps): Handlers<typeof orientOperations> {
  const orient = createOrient(deps);
  const digest = createDigest(deps);

  return {
    'context.orient': async ({ input, principal }) => {
      const { format = 'json', ...query } = input.query;
      const request = { principal, projectId: input.path.project_id, query };
      if (format === 'text') return markdown(await orient.brief(request));
      return jsonAnswer(await orient.bundle(request));
    },

    'context.brief': async ({ input, principal }) => {
      const {
        project: projectId = principal.defaultProject,
        session_id: sessionId,
        ...query
      } = input.body ?? {};
      return markdown(await orient.brief({ principal, projectId, query, sessionId, startSession: true }));
    },

    'context.anchors': async (reader, { input, principal }) => {
      const request = { principal, projectId: input.path.project_id, query: input.query };
      return { body: { anchors: await orient.anchors(reader, request) } };
    },

    'context.orchestrate': async ({ input, principal }) => jsonAnswer(await digest(principal, input.query)),

    'context.counts': async (reader, { input, principal }) => ({
      body: await countProject(reader, deps, principal, input.path.project_id),
    }),

    'context.search': async ({ input, principal }) => {
      const found = await searchVisible(deps, principal, input.query);
      const { max_tokens: maxTokens, order } = input.query;
      if (maxTokens !== undefined) {
        const packed = packPassages(found.map(passageOf), { maxTokens, order });
        return { body: { hits: [], packed: packedBody(packed) } };
      }
      const hits = found.map(({ hit, stored }) => ({
        collection: hit.collection,
        project_id: hit.projectId,
        id: hit.id,
        score: hit.score,
        field: hit.best.field,
        text: hit.best.snippet,
        ...(stored && { title: stored.title }),
        found_by: foundBy(hit.reasons),
      }));
      return { body: { hits } };
    },
  };
}

function markdown(text: string) {
  const headers = { ...PROTOCOL_HEADERS, 'content-type': 'text/markdown; charset=utf-8' };
  return { body: new JsonText(text), headers };
}
