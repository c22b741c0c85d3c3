import type { Hasher } from '../../../kernel/hasher.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { jsonAnswer, PROTOCOL_HEADERS } from '../answer.ts';
import { LARGEST_PAGE } from '../paging.ts';
import { CONFORMANCE_LEVEL, PROTOCOL_VERSION } from '../schema.ts';
import type { descriptorOperations } from './operations.ts';
import { extensions, requireSupported } from './rules.ts';

export function createDescriptorHandlers(
  version: string,
  hasher: Hasher,
): Handlers<typeof descriptorOperations> {
  const text = JSON.stringify({
    protocol_version: PROTOCOL_VERSION,
    conformance_level: CONFORMANCE_LEVEL,
    capabilities: {
      hybrid_search: true,
      semantic_search: true,
      keyword_search: true,
      realtime: true,
      blob_storage: true,
    },
    implementation: { name: 'Baton', version },
    operations: {
      deposit: true,
      pull: true,
      orient: true,
      orchestrate: true,
      flag_for_review: true,
      assert_fact: true,
      invalidate_fact: true,
    },
    extensions,
    limits: { max_page: LARGEST_PAGE, max_depth: 64, max_body_bytes: 4 * 1024 * 1024 },
  });
  const etag = `"${hasher.hex(text).slice(0, 32)}"`;
  return {
    'context.conformance': async ({ input }) => {
      requireSupported(input.headers['relay-want']);
      const known = input.headers['if-none-match'] === etag;
      return jsonAnswer(known ? '' : text, { ...PROTOCOL_HEADERS, etag }, known ? 304 : undefined);
    },
  };
}
