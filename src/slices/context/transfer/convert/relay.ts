import { packageTypes } from '../../schema.ts';
import { type Converted, type Foreign, nothing, text, texts, titleFrom, utc } from './record.ts';

const STATUS: Readonly<Record<string, string>> = {
  draft: 'draft',
  complete: 'complete',
  awaiting_review: 'awaiting_review',
  revision_requested: 'revision_requested',
  pending_review: 'awaiting_review',
  rejected: 'revision_requested',
  approved: 'complete',
  in_progress: 'draft',
  blocked: 'awaiting_review',
};

/** Rows of a Relay backup. What had to be changed to fit the protocol is kept as it was in `x-relay`. */
export function convertRelay(file: string, rows: readonly Foreign[], projectId: string): Converted {
  const converted = nothing();
  for (const row of rows) {
    if (file.startsWith('fact') || 'relation' in row || 'predicate' in row)
      converted.facts.push(fact(row, projectId));
    else if (file.startsWith('session')) converted.sessions.push(session(row, projectId));
    else if (text(row.title)) converted.packages.push(aPackage(row, projectId));
    else converted.skipped += 1;
  }
  return converted;
}

function aPackage(row: Foreign, projectId: string): Record<string, unknown> {
  const status = STATUS[String(row.status ?? 'complete')] ?? 'complete';
  const type = text(row.package_type) ?? 'standard';
  const reviewed = text(row.review_type) ?? 'none';
  const significance = Number(row.significance);
  const by = (row.created_by ?? {}) as Foreign;
  return {
    package_id: text(row.package_id) ?? String(row.id),
    project_id: projectId,
    relay_version: '0.1',
    title: titleFrom(row.title),
    status,
    package_type:
      (packageTypes as readonly string[]).includes(type) || type.startsWith('x-') ? type : `x-${type}`,
    review_type: ['human', 'agent'].includes(reviewed)
      ? reviewed
      : status === 'awaiting_review'
        ? 'human'
        : 'none',
    created_at: utc(row.created_at),
    created_by: {
      id: text(by.id) ?? text(row.created_by_id) ?? text(row.actor_id) ?? 'relay',
      type: text(by.type) ?? text(row.created_by_type) ?? text(row.actor_type) ?? 'agent',
      session_id: text(by.session_id) ?? text(row.session_id) ?? null,
    },
    ...(text(row.description) && { description: row.description }),
    ...(texts(row.tags).length > 0 && { tags: texts(row.tags) }),
    ...(texts(row.decisions_made).length > 0 && { decisions_made: texts(row.decisions_made) }),
    ...(texts(row.open_questions).length > 0 && { open_questions: texts(row.open_questions) }),
    ...(text(row.handoff_note) && { handoff_note: row.handoff_note }),
    ...(text(row.content_md) && { content_md: row.content_md }),
    ...(text(row.topic) && { topic: row.topic }),
    ...(text(row.artifact_type) && { artifact_type: row.artifact_type }),
    ...(text(row.parent_package_id) && { parent_package_id: row.parent_package_id }),
    ...(Number.isInteger(significance) && { significance: Math.min(10, Math.max(1, significance)) }),
    'x-relay': row,
  };
}

function fact(row: Foreign, projectId: string): Record<string, unknown> {
  const validFrom = utc(row.valid_from, row.started_at, row.created_at);
  const ended = row.valid_to ?? row.ended_at;
  return {
    fact_id: text(row.fact_id) ?? String(row.id),
    project_id: projectId,
    subject: String(row.subject),
    predicate: String(row.predicate ?? row.relation),
    value: String(row.value ?? row.object),
    valid_from: validFrom,
    created_at: utc(row.created_at, validFrom),
    ...(text(row.source_package_id) && { source_package_id: row.source_package_id }),
    valid_to: ended ? utc(ended) : null,
    'x-relay': row,
  };
}

function session(row: Foreign, projectId: string): Record<string, unknown> {
  return {
    session_id: text(row.session_id) ?? String(row.id),
    project_id: projectId,
    actor_id: text(row.actor_id) ?? 'relay',
    actor_type: text(row.actor_type) ?? 'agent',
    callsign: text(row.callsign) ?? null,
    started_at: utc(row.started_at, row.created_at),
    ended_at: row.ended_at ? utc(row.ended_at) : null,
    packages_deposited: texts(row.packages_deposited),
  };
}
