/** UUIDs, and ids that say what they are of: `pkg_…`, `fact_…`, `inb_…`, `mem_…`. */
const ID =
  /\b(?:[a-z]{2,10}_)?(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=_)[0-9a-f]{32})\b/g;
const MOST = 40;

/** The ids that a document speaks of, in the order in which they stand: executions, decisions, facts, memories. */
export function citedIds(text: string): string[] {
  return [...new Set([...text.matchAll(ID)].map(([id]) => id))].slice(0, MOST);
}
