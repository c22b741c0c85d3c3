import { formatMicros } from '../../../kernel/instant.ts';
import { asRecord, asRecords, asStrings, asText, type LooseRecord } from '../../../kernel/json/loose.ts';
import { interfacesOf } from '../a2a/translate/card.ts';
import type { PeerHealth } from '../peers/health.ts';
import { isGoverned } from '../peers/rules.ts';
import type { Peer } from '../peers/store.ts';
import { cardDiff } from './card-diff.ts';
import { readCard } from './catalogue.ts';
import type { AgentView, CardVersionView } from './schema.ts';
import type { CardRow } from './store.ts';

/** What a card says of its agent; cards are written by others, and any member may be missing. */
export function cardSummary(card: LooseRecord, fallbackName: string) {
  return {
    name: asText(card.name) ?? fallbackName,
    description: asText(card.description) ?? '',
    version: asText(card.version) ?? null,
    provider: asText(asRecord(card.provider).organization) ?? null,
    skills: asRecords(card.skills).map((skill) => ({
      id: asText(skill.id) ?? '',
      name: asText(skill.name) ?? asText(skill.id) ?? '',
      description: asText(skill.description) ?? '',
      tags: [...asStrings(skill.tags)],
    })),
    interfaces: interfacesOf(card).map(({ binding, version }) => ({ binding, version })),
  };
}

/** `cards`: those of this peer that count now. */
export function agentView(peer: Peer, cards: readonly CardRow[], health: PeerHealth): AgentView {
  const inForce = cards.findLast(({ state }) => state === 'accepted');
  const waiting = cards.find(({ state }) => state === 'waiting');
  return {
    id: peer.id,
    ...cardSummary(inForce ? readCard(inForce) : {}, peer.id),
    role: peer.role,
    governed: isGoverned(peer),
    health: health.of(peer),
    card: inForce
      ? {
          number: inForce.number,
          digest: inForce.digest,
          seen_at: formatMicros(Number(inForce.seen_us)),
          waiting: waiting?.item_id ?? null,
        }
      : null,
  };
}

export interface AgentQuery {
  readonly query?: string | undefined;
  readonly skill?: string | undefined;
  readonly tag?: string | undefined;
}

export function answers({ query, skill, tag }: AgentQuery, agent: AgentView): boolean {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  if (skill && !agent.skills.some(({ id, name }) => same(id, skill) || same(name, skill))) return false;
  if (tag && !agent.skills.some(({ tags }) => tags.some((one) => same(one, tag)))) return false;
  const text = JSON.stringify([agent.id, agent.name, agent.description, agent.skills]).toLowerCase();
  return (query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The newest first, each against the accepted one before it. */
export function cardVersions(cards: readonly CardRow[]): CardVersionView[] {
  const inForce = cards.find(({ state }) => state === 'accepted');
  return cards.map((row, at) => {
    const before = cards.slice(at + 1).find(({ state }) => state === 'accepted');
    const { changes, complete } = before ? cardDiff(readCard(before), readCard(row)) : NOTHING_BEFORE;
    return {
      number: row.number,
      state: row.state,
      in_force: row === inForce,
      digest: row.digest,
      seen_at: formatMicros(Number(row.seen_us)),
      item_id: row.item_id,
      changes: [...changes],
      complete,
    };
  });
}

const NOTHING_BEFORE = { changes: [], complete: true };
