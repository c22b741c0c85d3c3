import type { Micros } from '../../../kernel/clock.ts';
import { visible } from '../../../kernel/visible-text.ts';

/** The unit of scope, access, archival and backup. */
export interface Project {
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly createdMicros: Micros;
  readonly archivedAt: string | null;
  /** JSON text of an object, as it was given. */
  readonly settings: string;
  /** JSON text of an object with members unknown to us, kept for clients that know them. */
  readonly extra: string;
}

export interface NewProject {
  readonly projectId: string;
  /** Defaults to the id. */
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly settings?: string | undefined;
  readonly extra?: string | undefined;
  /** Given by imports, as written. */
  readonly createdAt?: { readonly text: string; readonly micros: Micros } | undefined;
}

export interface ProjectChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly settings?: string | undefined;
  readonly extra?: string | undefined;
}

const MAX_LENGTH = 200;

export function isProjectId(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= MAX_LENGTH &&
    text === text.trim() &&
    text === text.normalize('NFC') &&
    !text.includes('\n') &&
    visible(text) === text
  );
}
