import { asRecord, asStrings, asText, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import { packageTypes } from '../../schema.ts';
import { type Converted, nothingConverted, someStrings, titleFrom, utc } from './converted.ts';

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

/** Rows of a Relay backup. The original of whatever the protocol made us change is kept in `x-relay`. */
export function convertRelay(file: string, rows: readonly LooseRecord[], projectId: string): Converted {
  const converted = nothingConverted();
  for (const row of rows) {
    if (file.startsWith('fact') || 'relation' in row || 'predicate' in row)
      converted.facts.push(fact(row, projectId));
    else if (file.startsWith('session')) converted.sessions.push(session(row, projectId));
    else if (asText(row.title)) converted.packages.push(aPackage(row, projectId));
    else converted.skipped += 1;
  }
  return converted;
}

function aPackage(row: LooseRecord, projectId: string): Record<string, unknown> {
  const status = STATUS[String(row.status ?? 'complete')] ?? 'complete';
  const type = asText(row.package_type) ?? 'standard';
  const reviewed = asText(row.review_type) ?? 'none';
  const significance = Number(row.significance);
  const by = asRecord(row.created_by);
  return {
    package_id: asText(row.package_id) ?? String(row.id),
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
      id: asText(by.id) ?? asText(row.created_by_id) ?? asText(row.actor_id) ?? 'relay',
      type: asText(by.type) ?? asText(row.created_by_type) ?? asText(row.actor_type) ?? 'agent',
      session_id: asText(by.session_id) ?? asText(row.session_id) ?? null,
    },
    ...present({
      description: asText(row.description),
      tags: someStrings(row.tags),
      decisions_made: someStrings(row.decisions_made),
      open_questions: someStrings(row.open_questions),
      handoff_note: asText(row.handoff_note),
      content_md: asText(row.content_md),
      topic: asText(row.topic),
      artifact_type: asText(row.artifact_type),
      parent_package_id: asText(row.parent_package_id),
      significance: Number.isInteger(significance) ? Math.min(10, Math.max(1, significance)) : undefined,
    }),
    'x-relay': row,
  };
}

function fact(row: LooseRecord, projectId: string): Record<string, unknown> {
  const validFrom = utc(row.valid_from, row.started_at, row.created_at);
  const ended = row.valid_to ?? row.ended_at;
  return {
    fact_id: asText(row.fact_id) ?? String(row.id),
    project_id: projectId,
    subject: String(row.subject),
    predicate: String(row.predicate ?? row.relation),
    value: String(row.value ?? row.object),
    valid_from: validFrom,
    created_at: utc(row.created_at, validFrom),
    ...present({ source_package_id: asText(row.source_package_id) }),
    valid_to: ended ? utc(ended) : null,
    'x-relay': row,
  };
}

function session(row: LooseRecord, projectId: string): Record<string, unknown> {
  return {
    session_id: asText(row.session_id) ?? String(row.id),
    project_id: projectId,
    actor_id: asText(row.actor_id) ?? 'relay',
    actor_type: asText(row.actor_type) ?? 'agent',
    callsign: asText(row.callsign) ?? null,
    started_at: utc(row.started_at, row.created_at),
    ended_at: row.ended_at ? utc(row.ended_at) : null,
    packages_deposited: asStrings(row.packages_deposited),
  };
}
