import type { Risk } from '../inbox/item.ts';

/** What one can be told of. */
export const NOTICE_KINDS = ['inbox', 'expiring', 'denied', 'budget', 'run_stopped', 'run_finished'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const CHANNEL_KINDS = ['browser', 'email', 'webhook', 'slack', 'ntfy'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const TIMES = ['now', 'hourly', 'daily', 'never'] as const;
export type When = (typeof TIMES)[number];

/** As the inbox has them, lowest first. */
export const RISKS = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Risk[];

/** How long before an item expires one can be reminded. */
export const MINUTES_BEFORE = [5, 15, 60, 240] as const;
export type MinutesBefore = (typeof MINUTES_BEFORE)[number];
export const DEFAULT_MINUTES_BEFORE = 15;

/** How much a message says: that there is something, what kind of thing it is, or its title as well. */
export const CONTENTS = ['nothing', 'kind', 'title'] as const;
export type Content = (typeof CONTENTS)[number];

export interface Rule {
  /** A project, or `*` for every one that has no rule of its own for this kind. */
  readonly project: string;
  readonly kind: NoticeKind;
  readonly when: When;
  /** Of inbox items: only those of this risk or a higher one. */
  readonly leastRisk?: Risk | undefined;
  readonly minutesBefore?: MinutesBefore | undefined;
}

/** Local times as `HH:MM`; from the same to the same is the whole day. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** One thing that somebody may be told of. */
export interface Notice {
  /** Told once to each channel, whatever happens: `inbox:ITEM`, `expiring:ITEM`, `event:EVENT`. */
  readonly key: string;
  readonly kind: NoticeKind;
  readonly projectId: string;
  readonly risk: Risk | null;
  /** The inbox item, if it is about one. */
  readonly itemId: string | null;
}

export const DEFAULT_RULES: readonly Rule[] = [
  { project: '*', kind: 'inbox', when: 'now', leastRisk: 'medium' },
  { project: '*', kind: 'expiring', when: 'now', minutesBefore: DEFAULT_MINUTES_BEFORE },
  { project: '*', kind: 'budget', when: 'now' },
  { project: '*', kind: 'run_stopped', when: 'now' },
];

/**
 * `sending` is written just before the first byte that may have an effect: a message that is found in it after a crash may
 * have arrived, and is never sent again. `withdrawn`: nothing was left to tell when its turn came.
 */
export const MESSAGE_STATES = ['queued', 'sending', 'sent', 'failed', 'unknown', 'withdrawn'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];
