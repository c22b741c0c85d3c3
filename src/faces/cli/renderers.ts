import pc from 'picocolors';
import { named } from '../../kernel/quoted.ts';
import { doneText } from './done-text.ts';
import { shownItem } from './inbox-item.ts';
import { ASIDE, memoryRenderers, points } from './memory-renderers.ts';
import { forPeople, table, withLocalNames } from './output.ts';
import { type ReplayText, replayText, type StepText, stepText } from './replay-text.ts';

type Body = Record<string, unknown>;

/** Results that read better in their own form; all others are shown member by member. */
export const renderers: Readonly<Record<string, (body: Body) => string>> = {
  ...memoryRenderers,
  'relay.replay.show': (body) => replayText(body as unknown as ReplayText),
  'relay.replay.step': (body) => stepText(body as unknown as StepText),
  'context.search': (body) => {
    const hits = body.hits as Body[];
    if (hits.length === 0) return pc.dim('Nothing found.');
    return hits
      .map(({ score, collection, project_id, id, title, text, field }) => {
        const whole = title === undefined || title === text;
        const heading = whole ? text : `${title} — ${String(field).replaceAll('_', ' ')}`;
        const lines = [`${points(score)}  ${pc.bold(String(heading))}`];
        if (!whole) lines.push(`${ASIDE}> ${text}`);
        return [...lines, pc.dim(`${ASIDE}${collection} ${id} in ${project_id}`)].join('\n');
      })
      .join('\n');
  },
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
    const older =
      typeof body.previous === 'number' ? `\n${pc.dim(`Older ones: --before ${body.previous}`)}` : '';
    return rows.length === 0 ? pc.dim('Nothing new.') : `${table(rows)}${older}`;
  },
  'facts.state': ({ fact_id, project_id, subject, predicate, value, valid_from, valid_to }) =>
    doneText(
      `In ${named(String(project_id))}: ${subject} ${predicate} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      [String(fact_id), `since ${valid_from}`, ...(valid_to ? [`until ${valid_to}`] : [])],
    ),
  'keys.create': (body) => {
    const { token, ...rest } = body;
    const shown = token
      ? `\n\n${pc.bold(String(token))}\n${pc.dim('Shown only once: store it safely, or create another.')}`
      : '';
    return `${forPeople(rest)}${shown}`;
  },
  'atlas.list': (body) => {
    const items = [body].flat() as unknown as Body[];
    if (items.length === 0)
      return pc.dim('No Atlas is loaded: every action is refused. `baton atlas load PATH` loads one.');
    return table(
      items.map(({ atlas_id, version, name, action_count, policy_count, mode, loaded_at }) => ({
        atlas_id,
        version,
        name,
        actions: action_count,
        policies: policy_count,
        mode,
        loaded_at,
      })),
    );
  },
  'trace.events': (body) =>
    table(
      (body.events as Body[]).map(({ sequence, timestamp, event_type, payload }) => ({
        sequence,
        timestamp,
        type: event_type,
        payload: JSON.stringify(payload),
      })),
    ),
  'approvals.list': (body) => {
    const items = body.items as Body[];
    if (items.length === 0) return pc.dim('No agent is waiting for approval.');
    return table(
      items.map(
        ({ approval_id, agent_id, action_ids, parameters, risk_tier, goal, status, allows, expires_at }) => ({
          approval_id,
          agent: agent_id,
          actions: (action_ids as string[]).join(', '),
          parameters: parameters && JSON.stringify(parameters),
          risk: risk_tier,
          goal,
          status,
          allows,
          expires_at,
        }),
      ),
    );
  },
  'approvals.grants': (body) => {
    const items = body.items as Body[];
    if (items.length === 0) return pc.dim('Nothing is granted that could still be used.');
    const rows = items.map(({ approval_id, agent_id, policy_id, allows, granted_by, uses, expires_at }) => ({
      approval_id,
      agent: agent_id,
      policy: policy_id,
      allows,
      granted_by,
      uses,
      expires_at,
    }));
    return `${table(rows)}\n${pc.dim('Take one back with `baton approvals revoke ID`.')}`;
  },
  'inbox.groups': (body) => {
    const groups = body.groups as { readonly count: number; readonly first: Body }[];
    if (groups.length === 0) return pc.dim('Nothing is waiting.');
    const rows = groups.map(({ count, first }) => ({
      id: first.id,
      alike: count,
      risk: first.risk,
      title: withLocalNames(String(first.title)),
      values: ((first.highlights ?? []) as readonly Body[])
        .map(({ name, value }) => `${name}=${value}`)
        .join(' '),
      expires_at: first.expires_at,
    }));
    const more =
      body.next === null ? '' : ` ${Number(body.total) - rows.length} more groups: --cursor ${body.next}`;
    return `${table(rows)}\n${pc.dim(`Decide all that are alike with \`baton inbox approve --like ID\`.${more}`)}`;
  },
  'inbox.list': (body) => {
    const items = body.items as Body[];
    if (items.length === 0) return pc.dim('Nothing is waiting.');
    const rows = items.map(({ id, kind, risk, title, requested_by, can_decide, expires_at }) => ({
      id,
      kind,
      risk,
      title: withLocalNames(String(title)),
      asked_by: (requested_by as Body).id,
      yours: can_decide ? 'yes' : 'no',
      expires_at,
    }));
    const more = body.next ? ` ${items.length} of ${body.total}; the next: --cursor ${body.next}` : '';
    return `${table(rows)}\n${pc.dim(`Show one with \`baton inbox show ID\`.${more}`)}`;
  },
  'inbox.get': (body) => {
    const steps =
      body.state === 'open' && body.can_decide
        ? `\n${pc.dim(`Decide with \`baton inbox approve ${body.id}\` or \`baton inbox reject ${body.id}\`.`)}`
        : '';
    return `${forPeople(shownItem(body))}${steps}`;
  },
  'carp.explain': (body) =>
    (body.explanations as Body[])
      .map(({ action_id, effect, winner, policies }) => {
        const head = `${pc.bold(String(action_id))}: ${String(effect).replaceAll('_', ' ')}, by ${winner}`;
        const rows = (policies as Body[]).map(({ policy_id, type, atlas_id, matched, failed }) => ({
          policy: policy_id,
          type,
          atlas: atlas_id,
          fits: matched ? 'yes' : `no: ${failed}`,
        }));
        return rows.length === 0 ? head : `${head}\n${table(rows, '  ')}`;
      })
      .join('\n'),
};
