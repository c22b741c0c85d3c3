import { asDoc, type Doc, isText } from '../../document.ts';
import { instantOf } from './event-validate.ts';

/** What is wrong with the order of events. A log spans runs, so each run's events are judged by themselves. */
export function orderingFaults(events: readonly unknown[]): readonly string[] {
  const runs = new Map<unknown, Doc[]>();
  for (const raw of events) {
    const event = asDoc(raw);
    const timeline = runs.get(event.run_id);
    if (timeline === undefined) runs.set(event.run_id, [event]);
    else timeline.push(event);
  }
  return [...runs.values()].flatMap(timelineFaults);
}

function timelineFaults(events: readonly Doc[]): string[] {
  const faults: string[] = [];
  if (events[0]?.event_type !== 'run_started') faults.push('The timeline does not begin with run_started.');
  const end = events.findIndex((event) => event.event_type === 'run_completed');
  if (end >= 0 && end < events.length - 1) faults.push('Events follow run_completed.');
  const dispatched = new Set<unknown>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const turnId = asDoc(event.turn).turn_id;
    if (event.event_type === 'turn_dispatched') dispatched.add(turnId);
    if (event.event_type === 'turn_accepted' && !(isText(turnId) && dispatched.has(turnId))) {
      faults.push(`Turn ${String(turnId)} was accepted before it was dispatched.`);
    }
    const at = instantOf(event.timestamp);
    if (at === undefined || at < latest) faults.push(`The time of ${String(event.event_id)} runs backwards.`);
    latest = Math.max(latest, at ?? latest);
  }
  return faults;
}
