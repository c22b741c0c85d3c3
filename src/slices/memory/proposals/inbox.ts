import type { Micros } from '../../../kernel/clock.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { ownsProfile } from '../caller.ts';
import { objectMember, textMember } from '../documents.ts';
import { selectProfile } from '../profiles/store.ts';
import { selectAgent } from '../registry/store.ts';
import { PROFILE_REF, selectText } from '../text-store.ts';
import { storedProposal } from './propose.ts';
import { selectProposal } from './store.ts';

/** Of whom, by whom, what and on which grounds; for those alone who keep the profile. */
export async function proposalDetails(
  reader: Reader,
  proposalId: string,
  principal: Principal,
  now: Micros,
): Promise<JsonObject | undefined> {
  const row = await selectProposal(reader, proposalId);
  const profile = row && (await selectProfile(reader, row.profile_did));
  if (!row || !profile || !ownsProfile(principal, profile)) return undefined;
  const text = await selectText(reader, profile.did, proposalId);
  const agent = await selectAgent(reader, row.agent_did);
  const proposal = storedProposal(row, text?.body, now);
  return fromPlain({
    about: { did: profile.did, display_name: await displayName(reader, profile.did) },
    proposed_by: { did: row.agent_did, name: agent?.name ?? proposal.agentName },
    content: proposal.content,
    memory_type: proposal.type,
    category: proposal.category,
    confidence: proposal.confidence,
    target_memory_id: proposal.targetMemoryId,
    context: proposal.context,
    evidence: proposal.evidence.map(({ type, quote, timestamp }) => ({ type, quote, timestamp })),
  }) as JsonObject;
}

async function displayName(reader: Reader, did: string): Promise<string | undefined> {
  const document = await selectText(reader, did, PROFILE_REF);
  if (!document) return undefined;
  return textMember(objectMember(readJson(document.body) as JsonObject, 'identity'), 'displayName');
}
