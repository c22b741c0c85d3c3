type Body = Readonly<Record<string, unknown>>;

/** What a person needs of an item to decide about it, or to see what came of it. */
export function shownItem(item: Body): Body {
  const { title, state, kind, risk, requested_by, rule, subject, project_id, opened_at, expires_at } = item;
  const { digest, needs_presence, decision, reason, details, cannot_decide, requested_for } = item;
  const choices = (item.choices ?? []) as readonly Body[];
  const asker = requested_by as Body;
  const refused = cannot_decide as Body | null | undefined;
  const spokenFor = (requested_for as Body | undefined)?.id;
  return {
    title,
    state,
    kind,
    risk,
    asked_by: asker.id,
    ...(spokenFor !== undefined && spokenFor !== asker.id && { asked_for: spokenFor }),
    rule,
    about: (subject as Body).id,
    project: project_id,
    opened_at,
    ...(expires_at !== null && { expires_at }),
    ...(needs_presence === true &&
      state === 'open' && { needs: 'your passphrase, or a passkey in the dashboard' }),
    ...(refused && { not_yours: refused.message }),
    ...(Number(item.quorum) > 1 && {
      people: `${item.quorum} have to agree; so far: ${(item.agreed_by as string[]).join(', ') || 'nobody'}`,
    }),
    ...(choices.length > 0 && { choices: Object.fromEntries(choices.map(({ id, words }) => [id, words])) }),
    digest,
    ...(reason !== null && { reason }),
    ...(decision !== null && { decision }),
    ...(details !== undefined && { details }),
  };
}
