/** How an editor starts Baton. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** What an editor calls this server. */
export const SERVER_NAME = 'baton';

/** One way to write server entries into a text that belongs to the user: nothing else of it changes. */
export interface EntryFormat {
  /** Adds the entry, or corrects its members; members that the user added to it stay. */
  put(text: string, section: string, members: Readonly<Record<string, unknown>>): string;
  /** `dropSection`: also remove the section if nothing else is in it. */
  take(text: string, section: string, dropSection: boolean): string;
  read(text: string, section: string): ServerEntry | undefined;
  hasSection(text: string, section: string): boolean;
  /** Whether the text holds nothing any more. */
  isEmpty(text: string): boolean;
}
