import { formatMillis } from '../../../kernel/instant.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { inTurns } from '../../../spine/storage/in-turns.ts';
import { selectPolicies } from '../consent/store.ts';
import { listMemories } from '../memories/keep.ts';
import type { MemoryDeps } from '../ports.ts';
import { type Profile, selectProfileDocument } from '../profiles/store.ts';
import { storedProposal } from '../proposals/find.ts';
import { statusAt } from '../proposals/rules.ts';
import { nestedProposal } from '../proposals/shape.ts';
import { type ProposalRow, selectProposals } from '../proposals/store.ts';
import { selectTexts } from '../text-store.ts';
import { joinProfile, schemaMemory, schemaProfile } from './rules.ts';

type Shape = 'written' | 'schema';
type Section = 'memories' | 'proposals' | 'policies';

/** Everything as it was written; with the shape `schema`, completed to what the published schemas require. */
export async function exportProfile(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  { shape = 'written', sections }: { shape?: Shape | undefined; sections?: readonly Section[] | undefined },
): Promise<JsonObject> {
  const now = deps.clock.now();
  const has = (section: Section) => sections === undefined || sections.includes(section);
  const memories = has('memories') ? await listMemories(reader, deps, profile, {}) : [];
  const rows = has('proposals') ? await selectProposals(reader, profile.did, { now, limit: 100_000 }) : [];
  const ids = rows.map(({ proposal_id }) => proposal_id);
  const texts = await selectTexts(reader, profile.did, ids);
  const policies = has('policies') ? await selectPolicies(reader, profile.did) : [];
  const at = formatMillis(now);
  const whole = joinProfile({
    skeleton: await selectProfileDocument(reader, profile),
    memories: await inTurns(reader, memories, ({ item, document }) => ({
      type: item.class.type,
      document: shape === 'schema' ? schemaMemory(document, at) : document,
    })),
    proposals: await inTurns(reader, rows, (row) =>
      exportedProposal(row, texts.get(row.proposal_id)?.body, shape, now),
    ),
    policies: policies.map(({ document }) => readJson(document) as JsonObject),
  });
  return shape === 'schema' ? schemaProfile(whole) : whole;
}

/** An imported proposal leaves as it came, unless its status has changed since. */
function exportedProposal(row: ProposalRow, body: string | undefined, shape: Shape, now: number): JsonObject {
  const { written, writtenStatus } = JSON.parse(body ?? '{}') as { written?: string; writtenStatus?: string };
  const unchanged = writtenStatus === statusAt(row.status, row.expires_us, now);
  if (shape === 'written' && written !== undefined && unchanged) return readJson(written) as JsonObject;
  return fromPlain(nestedProposal(storedProposal(row, body, now))) as JsonObject;
}
