import { BatonError } from '../../../kernel/error.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Client } from '../clients/event.ts';
import type { OpenSession } from '../live/open-session.ts';
import { saveAgentSession, selectAgentSession, selectBelow } from '../live/store.ts';
import type { AgentsPorts } from '../ports.ts';
import { autoPackage, type GitState, type SessionRecord } from './auto-package.ts';
import { saidBy } from './said.ts';
import { insertActivity, selectActivity, selectSpans, selectTouching } from './store.ts';

const MOST_ACTIVITY = 600;
const MOST_WRITTEN = 50;
const MICROS = 1_000_000;

/**
 * One package stands for a session: each further one names the one before and takes its place. What the agent has
 * deposited itself since is not told again. Does nothing if nothing happened. Returns the package's id.
 */
export async function depositSession(
  uow: UnitOfWork,
  deps: AgentsPorts,
  given: {
    readonly principal: Principal;
    readonly open: OpenSession;
    readonly client: Client;
    readonly git: GitState;
  },
): Promise<string | undefined> {
  const { principal, open, client, git } = given;
  const { session } = open;
  await uow.lock(`agents:${session.sessionId}`);
  const agent = await selectAgentSession(uow, session.sessionId);
  // The work of a subagent is told with that of the conversation it belongs to.
  if (!agent || agent.parentSessionId !== null) return undefined;
  const { projectId, sessionId } = session;
  const { actor } = principal;
  const own = await deps.ownDeposit(uow, { projectId, sessionId, authorId: actor.id });
  let { headPackage: head, coveredMicros: covered } = agent;
  if (own && own.depositedMicros > covered) {
    if (head !== null) await deps.supersedeDeposit(uow, { projectId, packageId: head, by: own.packageId });
    head = null;
    covered = own.depositedMicros;
  }
  const sessionIds = [sessionId, ...(await selectBelow(uow, sessionId))];
  const activity = (await selectActivity(uow, sessionIds, MOST_ACTIVITY)).filter(
    ({ atMicros }) => atMicros > covered,
  );
  const commits = commitsSince(git, Math.max(agent.startedMicros, covered));
  const fresh = await newCommits(uow, deps, sessionId, commits);
  const newest = activity.reduce((latest, { atMicros }) => Math.max(latest, atMicros), 0);
  const nothing = activity.every(({ kind }) => kind === 'message');
  if ((nothing || newest <= agent.toldMicros) && fresh.length === 0) return undefined;
  const record: SessionRecord = {
    clientTitle: client.title,
    clientName: client.name,
    sessionId,
    author: actor,
    number: agent.deposits + 1,
    parent: head,
    activity,
    commits,
    git,
    writtenMeanwhile: await writtenMeanwhile(uow, session, sessionIds, git, agent.startedMicros),
    waiting: await waitingItems(uow, deps, session, sessionIds),
  };
  const packageId = await depositSafely(uow, deps, session, record);
  if (packageId === undefined) return undefined;
  await saveAgentSession(uow, {
    ...agent,
    headPackage: packageId,
    coveredMicros: covered,
    toldMicros: newest,
    deposits: record.number,
  });
  await deps.capture(uow, principal, {
    session: sessionId,
    turns: saidBy(activity.filter(({ atMicros }) => atMicros > agent.toldMicros)),
    clientName: client.title,
  });
  const calls = fresh.length > 0 ? await selectSpans(uow, sessionIds, 10) : [];
  for (const { id } of fresh) await recordCommit(uow, deps, session, { id, packageId, calls });
  return packageId;
}

/** A file that somebody else's session touched is theirs; one that is older was there before. */
async function writtenMeanwhile(
  uow: UnitOfWork,
  { projectId }: Session,
  sessionIds: readonly string[],
  { changed = [] }: GitState,
  sinceMicros: number,
): Promise<string[]> {
  const written = changed.filter(({ at }) => at != null && at * 1_000 >= sinceMicros).slice(0, MOST_WRITTEN);
  const ours: string[] = [];
  for (const { path } of written) {
    const touching = await selectTouching(uow, projectId, path, sinceMicros);
    if (touching.every(({ sessionId }) => sessionIds.includes(sessionId))) ours.push(path);
  }
  return ours;
}

function commitsSince({ commits = [] }: GitState, micros: number) {
  return commits.filter(({ at }) => at >= Math.floor(micros / MICROS));
}

/** Those that no deposit of the session has told of; from now on this one does. */
async function newCommits<T extends { readonly id: string; readonly title: string }>(
  uow: UnitOfWork,
  { clock }: AgentsPorts,
  sessionId: string,
  commits: readonly T[],
): Promise<T[]> {
  const fresh: T[] = [];
  for (const commit of commits) {
    const callKey = `commit:${commit.id}`;
    const told = { sessionId, callKey, kind: 'told', atMicros: clock.now(), text: commit.id } as const;
    if (await insertActivity(uow, { ...told, ok: null, detail: null, spanId: null })) fresh.push(commit);
  }
  return fresh;
}

async function waitingItems(
  uow: UnitOfWork,
  { inbox }: AgentsPorts,
  session: Session,
  sessionIds: readonly string[],
): Promise<string[]> {
  const { projectId, actor } = session;
  const items = await inbox.list(uow, {
    projects: [projectId],
    state: 'open',
    requestedBy: actor.id,
    sort: 'newest',
    limit: 50,
  });
  const ours = items.filter(({ subject }) => sessionIds.some((id) => subject.id.startsWith(`${id}:`)));
  return ours.map(({ itemId }) => itemId);
}

/** A project that takes no secrets is told of a session that seems to hold one without its words. */
async function depositSafely(
  uow: UnitOfWork,
  deps: AgentsPorts,
  { projectId, actor }: Session,
  record: SessionRecord,
): Promise<string | undefined> {
  const by = { projectId, actor };
  const draft = autoPackage(record);
  try {
    await deps.deposit(uow, by, draft);
  } catch (error) {
    const code = error instanceof BatonError ? error.code : undefined;
    if (code === 'project_archived') return undefined;
    if (code !== 'secret_found') throw error;
    const wordless = record.activity.filter(({ kind }) => kind === 'file');
    await deps.deposit(uow, by, autoPackage({ ...record, activity: wordless, commits: [], waiting: [] }));
  }
  return String(draft.package_id);
}

/** So that a commit leads back to the session, the calls that made it and the rules that let them pass. */
async function recordCommit(
  uow: UnitOfWork,
  { journal }: AgentsPorts,
  session: Session,
  commit: {
    readonly id: string;
    readonly packageId: string;
    readonly calls: readonly string[];
  },
): Promise<void> {
  await journal.append(uow, {
    chain: { sessionId: session.sessionId, kind: 'ledger' },
    type: 'commit.made',
    payload: {
      commit_id: commit.id,
      package_id: commit.packageId,
      session_id: session.sessionId,
      actor_id: session.actor.id,
      calls: [...commit.calls],
    },
    parentSpanId: session.rootSpanId,
  });
}
