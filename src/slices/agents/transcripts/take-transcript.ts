import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { autoPackage } from '../capture/auto-package.ts';
import { saidBy } from '../capture/said.ts';
import type { Activity } from '../capture/store.ts';
import { clientNamed } from '../clients/clients.ts';
import { withoutPrivate } from '../clients/private-words.ts';
import type { AgentsPorts } from '../ports.ts';
import { isTranscriptClient } from './readers.ts';
import type { TranscriptBody } from './schema.ts';
import { saveTranscript, selectTranscript } from './store.ts';

export interface TakenTranscript {
  readonly package_id: string;
  readonly state: 'new' | 'longer' | 'unchanged';
}

/** A conversation of the past as a package, made as the hooks make it of one that is under way. */
export async function takeTranscript(
  uow: UnitOfWork,
  deps: AgentsPorts,
  principal: Principal,
  projectId: string,
  body: TranscriptBody,
): Promise<TakenTranscript> {
  requireProject(principal, projectId);
  const { client, session } = body;
  await uow.lock(`transcript:${projectId}:${client}:${session}`);
  const key = { projectId, client, transcript: session };
  const digest = deps.hasher.hex(canonicalJcs(fromPlain(JSON.parse(JSON.stringify(body)))));
  const known = await selectTranscript(uow, key);
  if (known?.digest === digest) return { package_id: known.packageId, state: 'unchanged' };
  const name = deps.hasher.hex(`${client}\n${session}`).slice(0, 16);
  const activity = body.entries.map((entry, at) => activityOf(deps, entry, at));
  const clientTitle = clientNamed(client)?.title ?? client;
  const draft = autoPackage({
    clientTitle,
    clientName: client,
    sessionId: session,
    author: principal.actor,
    number: 1,
    parent: known?.packageId ?? null,
    activity,
    commits: [],
    git: {},
    writtenMeanwhile: [],
    waiting: [],
  });
  const packageId = `past.${client}.${name}.${digest.slice(0, 12)}`;
  const last = body.entries.reduce((latest, { at }) => Math.max(latest, parseInstant(at)?.micros ?? 0), 0);
  const { actor, speaksFor } = principal;
  await deps.deposit(
    uow,
    { projectId, actor, speaksFor },
    {
      ...draft,
      ...(body.title !== undefined && {
        title: deps.redact(withoutPrivate(body.title) as string) || 'Untitled',
      }),
      package_id: packageId,
      created_at: formatMillis(last),
      created_by: { id: actor.id, type: actor.type, session_id: null },
      tags: ['past', client],
    },
  );
  // What others have summed up of a conversation is no longer what the person said.
  if (isTranscriptClient(client))
    await deps.capture(uow, principal, { session, turns: saidBy(activity), clientName: clientTitle });
  await saveTranscript(uow, key, { digest, packageId });
  return { package_id: packageId, state: known ? 'longer' : 'new' };
}

function activityOf(deps: AgentsPorts, entry: TranscriptBody['entries'][number], at: number): Activity {
  const safe = (text: string) => deps.redact(withoutPrivate(text) as string);
  return {
    sessionId: '',
    callKey: String(at),
    kind: entry.kind,
    atMicros: parseInstant(entry.at)?.micros ?? 0,
    text: safe(entry.text),
    ok: entry.ok ?? null,
    detail: entry.detail === undefined ? null : safe(entry.detail),
    spanId: null,
  };
}
