import { contextErrors } from '../errors.ts';

const COPY_STEPS = ['sessions', 'packages', 'facts', 'blobs'] as const;
export type CopyStep = (typeof COPY_STEPS)[number];

/** First a copy of everything, then what has changed since that copy began. */
export type SyncCursor =
  | {
      readonly kind: 'copy';
      /** The last change before the copy: what happens meanwhile follows after it. */
      readonly head: number;
      readonly step: CopyStep;
      readonly after: string;
    }
  | { readonly kind: 'follow'; readonly after: number };

export function writeSyncCursor(cursor: SyncCursor): string {
  if (cursor.kind === 'follow') return `follow:${cursor.after}`;
  return `copy:${cursor.head}:${cursor.step}:${cursor.after}`;
}

export function readSyncCursor(text: string): SyncCursor {
  const followed = /^follow:(\d{1,15})$/.exec(text);
  if (followed) return { kind: 'follow', after: Number(followed[1]) };
  const [, head, step, after] = /^copy:(\d{1,15}):([a-z]+):(.*)$/s.exec(text) ?? [];
  const known = COPY_STEPS.find((one) => one === step);
  if (head === undefined || after === undefined || !known) throw contextErrors.invalid_cursor();
  return { kind: 'copy', head: Number(head), step: known, after };
}

/** Where a copy continues: within the step, with the next step, or with the changes since. */
export function nextCursor(cursor: Extract<SyncCursor, { kind: 'copy' }>, next: string | null): SyncCursor {
  if (next !== null) return { ...cursor, after: next };
  const step = COPY_STEPS[COPY_STEPS.indexOf(cursor.step) + 1];
  return step ? { ...cursor, step, after: '' } : { kind: 'follow', after: cursor.head };
}
