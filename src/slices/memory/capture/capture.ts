import { BatonError } from '../../../kernel/error.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { agentGrant } from '../consent/grants.ts';
import { mayPropose } from '../consent/rules/grant.ts';
import { similarMemories } from '../consolidation/similar.ts';
import { normalForm } from '../content.ts';
import { contentOf } from '../memories/rules.ts';
import { selectClasses } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import { type AccessedProfile, accessProfile, type Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { showBatch } from '../proposals/batch.ts';
import { wasEverProposed } from '../proposals/find.ts';
import { propose, requesterOf, roomLeft } from '../proposals/propose.ts';
import type { NewProposal } from '../proposals/shape.ts';
import { selectOpenBatch, selectProposals } from '../proposals/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { toProposal } from './rules/captured-proposal.ts';
import { findStatements, type Statement } from './rules/find-statements.ts';
import type { FoundByModel } from './second-reader.ts';

/** What a person wrote, never what an agent did. */
export interface SaidTurn {
  /** Names the turn within the conversation. */
  readonly id: string;
  readonly text: string;
  /** RFC 3339. */
  readonly at: string;
}

export interface CaptureRequest {
  /** The conversation. */
  readonly session: string;
  readonly turns: readonly SaidTurn[];
  /** By the name that people know, for the reviewer. */
  readonly clientName?: string | undefined;
  readonly requestId?: string;
}

/** A card with more on it is not read. */
const MOST_WAITING = 12;

/**
 * Proposes what people said of themselves and their work, on one card of the inbox; ids of the proposals. Silent where
 * there is nobody to ask, no consent or no room: it must never be in the way of a conversation. What was proposed
 * before, whatever came of it, and what is known are not proposed again.
 */
export async function capture(
  uow: UnitOfWork,
  deps: MemoryDeps,
  principal: Principal,
  request: CaptureRequest,
): Promise<string[]> {
  const statements: SaidStatement[] = [];
  for (const turn of request.turns) {
    statements.push(...findStatements(turn.text).map((statement) => ({ turn, statement })));
    await uow.giveTurn();
  }
  if (statements.length === 0 && deps.secondReader === undefined) return [];
  const access = await consentedAccess(uow, deps, principal);
  if (!access) return [];
  deps.secondReader?.hear(uow, principal, request);
  return proposeStatements(uow, deps, access, request, statements);
}

/** What a model found in one of the turns, as long as there is still consent to it. */
export async function captureFound(
  uow: UnitOfWork,
  deps: MemoryDeps,
  { principal, request, turn, statements }: FoundByModel,
  model: string,
): Promise<string[]> {
  const access = await consentedAccess(uow, deps, principal);
  if (!access) return [];
  const said = statements.map((statement) => ({ turn, statement }));
  return proposeStatements(uow, deps, access, request, said, model);
}

interface SaidStatement {
  readonly turn: SaidTurn;
  readonly statement: Statement;
}

async function proposeStatements(
  uow: UnitOfWork,
  deps: MemoryDeps,
  access: AccessedProfile,
  request: CaptureRequest,
  statements: readonly SaidStatement[],
  model?: string,
): Promise<string[]> {
  if (statements.length === 0) return [];
  const { profile, caller } = access;
  await uow.lock(`memory/capture/${profile.did}`);
  const now = deps.clock.now();
  const room = await roomFor(uow, deps, access, now);
  const batchId = room.batchId ?? prefixedId('mbat', deps.random);
  const wanted = statements.map(({ turn, statement }) => toProposal(statement, turn, request, model));
  const made: string[] = [];
  for (const proposed of await worthProposing(uow, deps, access, wanted)) {
    if (made.length >= room.left) break;
    const row = await propose(uow, deps, profile, caller, proposed, {
      batchId,
      ...(request.requestId !== undefined && { requestId: request.requestId }),
    });
    if (row.batch_id === batchId) made.push(row.proposal_id);
  }
  if (made.length > 0) await showBatch(uow, deps, profile, { batchId, ...askers(caller, profile) });
  return made;
}

async function consentedAccess(
  reader: Reader,
  deps: MemoryDeps,
  principal: Principal,
): Promise<AccessedProfile | undefined> {
  if (!grantsScope(principal.scopes, 'memory:propose')) return undefined;
  try {
    const access = await accessProfile(reader, deps, principal);
    return access.profile.settings.capture === 'off' ? undefined : access;
  } catch (error) {
    if (error instanceof BatonError && error.status < 500) return undefined;
    throw error;
  }
}

async function roomFor(uow: UnitOfWork, deps: MemoryDeps, { profile, caller }: AccessedProfile, now: number) {
  const batchId = await selectOpenBatch(uow, profile.did, caller.did, now);
  const waiting =
    batchId === undefined
      ? []
      : await selectProposals(uow, profile.did, { batchId, statuses: ['pending'], now });
  const onCard = Math.max(0, MOST_WAITING - waiting.length);
  if (caller.role === 'owner') return { batchId, left: onCard };
  const { left } = await roomLeft(uow, deps, profile, caller.did, now);
  return { batchId, left: Math.min(onCard, left) };
}

/** Consented to, not said twice, not proposed before and not known. */
async function worthProposing(
  reader: Reader,
  deps: MemoryDeps,
  { profile, caller }: AccessedProfile,
  wanted: readonly NewProposal[],
): Promise<NewProposal[]> {
  const { grant } = await agentGrant(reader, profile.did, caller.did, deps.clock.now());
  const seen = new Set<string>();
  const worth: NewProposal[] = [];
  for (const proposed of wanted) {
    const meaning = normalForm(proposed.content);
    if (seen.has(meaning)) continue;
    seen.add(meaning);
    if (caller.role === 'agent' && !mayPropose(grant, proposed)) continue;
    if (deps.hasSecret(proposed.content)) continue;
    if (await wasEverProposed(reader, deps, profile, proposed)) continue;
    if (await isKnown(reader, deps, profile, proposed.content, meaning)) continue;
    worth.push(proposed);
  }
  return worth;
}

async function isKnown(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  content: string,
  meaning: string,
): Promise<boolean> {
  const rules = await sensitivityRules(reader, profile);
  const classes = (await selectClasses(reader, profile.did, rules)).map(({ classId }) => classId);
  const near = await similarMemories(reader, deps, profile, content, { except: [], limit: 5, classes });
  return near.some(({ memory }) => normalForm(contentOf(memory.document)) === meaning);
}

function askers(caller: Caller, profile: Profile) {
  const requestedBy = requesterOf(caller);
  const overheard = caller.did !== profile.did;
  return {
    requestedBy,
    requestedFor: overheard ? { id: caller.did, type: 'agent' as const } : requestedBy,
  };
}
