import pc from 'picocolors';
import { forPeople, table } from './output.ts';

type Body = Record<string, unknown>;

/** Answers that read better in a form of their own; all others are shown member by member. */
export const renderers: Readonly<Record<string, (body: Body) => string>> = {
  'journal.changes': (body) => {
    const rows = (body.events as Body[]).map((entry) => {
      const event = entry.event as Body;
      return {
        leaf: entry.leaf,
        time: event.timestamp,
        type: event.event_type,
        project: entry.project_id,
        event_id: event.event_id,
      };
    });
    return rows.length === 0 ? pc.dim('Nothing new.') : table(rows);
  },
  'journal.verify': (body) => {
    const verdict = body.valid
      ? pc.green('The journal holds together.')
      : pc.red('The journal does NOT hold together.');
    const problems = (body.problems as Body[])
      .slice(0, 20)
      .map((problem) => `  ${pc.red(String(problem.error))} ${problem.message}`);
    return [
      verdict,
      `  ${body.events} events in ${body.chains} chains, ${body.checkpoints} signed checkpoints, ${body.pruned} pruned`,
      `  root ${body.root}`,
      ...problems,
    ].join('\n');
  },
  'keys.create': (body) => {
    const { token, ...rest } = body;
    const shown = token
      ? `\n\n${pc.bold(String(token))}\n${pc.dim('Shown once: keep it safe, or make another.')}`
      : '';
    return `${forPeople(rest)}${shown}`;
  },
  'inbox.list': (body) => {
    const items = body.items as Body[];
    if (items.length === 0) return pc.dim('Nothing waits for you.');
    return table(
      items.map(({ id, kind, risk, title, requested_by, expires_at, digest }) => ({
        id,
        kind,
        risk,
        title,
        asked_by: (requested_by as Body).id,
        expires_at,
        digest,
      })),
    );
  },
};
