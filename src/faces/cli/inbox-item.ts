type Body = Readonly<Record<string, unknown>>;

/** What a person needs of an item to decide about it, or to see what came of it. */
export function shownItem(item: Body): Body {
  const { title, state, kind, risk, requested_by, rule, subject, project_id, opened_at, expires_at } = item;
  const { digest, needs_presence, decision, reason, details } = item;
  return {
    title,
    state,
    kind,
    risk,
    asked_by: (requested_by as Body).id,
    rule,
    about: (subject as Body).id,
    project: project_id,
    opened_at,
    ...(expires_at !== null && { expires_at }),
    ...(needs_presence === true &&
      state === 'open' && { needs: 'your passphrase, or a passkey in the dashboard' }),
    digest,
    ...(reason !== null && { reason }),
    ...(decision !== null && { decision }),
    ...(details !== undefined && { details }),
  };
}
