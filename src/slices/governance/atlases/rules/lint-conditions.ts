import { suggestion } from '../../../../kernel/nearest.ts';
import { isTimeZone } from '../../policies/rules/time-window.ts';
import { type AtlasManifest, type Conditions, timeWindowSchema } from '../schema.ts';
import type { Report } from './lint.ts';

interface Place {
  readonly manifest: AtlasManifest;
  /** The policy or pack that has the conditions. */
  readonly path: readonly (string | number)[];
  readonly report: Report;
}

const WINDOW_MEMBERS = Object.keys(timeWindowSchema.shape);
const LISTS = ['agents', 'risk_tiers', 'capabilities'] as const;

/** What conditions say that cannot be meant: CRA's schema leaves the time window open, and lists may be empty. */
export function lintConditions(conditions: Conditions | undefined, { manifest, path, report }: Place): void {
  if (!conditions) return;
  const at = (...steps: (string | number)[]) => [...path, 'conditions', ...steps];
  for (const member of LISTS) {
    if (conditions[member]?.length === 0)
      report('never_holds', at(member), `${member} is empty, so nothing fits`);
  }
  lintCapabilities(conditions, manifest, at, report);
  const { time_window: window } = conditions;
  if (!window) return;
  for (const member of Object.keys(window)) {
    if (WINDOW_MEMBERS.includes(member)) continue;
    const message = `nothing reads ${member} in a time window: ${suggestion(member, WINDOW_MEMBERS)}`;
    report('unknown_member', at('time_window', member), message);
  }
  const { timezone, days, start, end } = window;
  if (timezone !== undefined && !isTimeZone(timezone))
    report('unknown_time_zone', at('time_window', 'timezone'), `${timezone} is not an IANA time zone`);
  if (days?.length === 0)
    report('never_holds', at('time_window', 'days'), 'days is empty, so the window is never open');
  if (start === undefined && end === undefined && days === undefined)
    report('always_open', at('time_window'), 'the window has no start, end or days, so it is always open');
}

function lintCapabilities(
  { capabilities = [] }: Conditions,
  manifest: AtlasManifest,
  at: (...steps: (string | number)[]) => (string | number)[],
  report: Report,
): void {
  const known = (manifest.capabilities ?? []).map(({ capability_id: id }) => id);
  for (const [index, id] of capabilities.entries()) {
    // An Atlas without capabilities of its own may mean those of others.
    if (known.length === 0 || known.includes(id)) continue;
    report('unknown_capability', at('capabilities', index), `${id} is not defined: ${suggestion(id, known)}`);
  }
}
