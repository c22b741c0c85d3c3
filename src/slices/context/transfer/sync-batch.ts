import { isUuidShaped } from '../../../kernel/ids.ts';
import { asString } from '../../../kernel/json/loose.ts';
import { isOwner } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { JournalEvent } from '../../../spine/journal/events/stored-event.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { MOST_PAGE_BYTES } from '../../../spine/storage/fitting.ts';
import { selectBlob } from '../blobs/store.ts';
import { selectFact } from '../facts/store.ts';
import { factText } from '../facts/stored-fact.ts';
import { isVisibleTo, selectPackage } from '../packages/store.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import { projectBody } from '../projects/schema.ts';
import { selectForeignSession } from '../projects/store.ts';
import { blobText, packageItem, sessionText } from './export.ts';
import type { ImportItem } from './schema.ts';

/** Well below the limit of one import, even with the largest blob on top. */
const ENOUGH_BYTES = MOST_PAGE_BYTES;

/** What is sent to the other side in one page: each thing once, as it is now. */
export class SyncBatch {
  readonly projects: string[] = [];
  readonly sessions: string[] = [];
  readonly packages: ImportItem[] = [];
  readonly tombstones: ImportItem[] = [];
  readonly facts: string[] = [];
  readonly blobs: string[] = [];
  readonly #reader: Reader;
  readonly #project: Project;
  readonly #principal: Principal;
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(reader: Reader, project: Project, principal: Principal) {
    this.#reader = reader;
    this.#project = project;
    this.#principal = principal;
  }

  get isFull(): boolean {
    return this.#bytes > ENOUGH_BYTES;
  }

  /** Adds whatever an event is about. */
  async addChanged({ event, sessionId }: JournalEvent): Promise<void> {
    const payload = event.payload ?? {};
    const id = (name: string) => asString(payload[name]);
    const family = event.event_type.split('.')[0];
    if (family === 'project') this.addProject();
    else if (family === 'session') await this.addSession(id('session_id') ?? sessionId);
    else if (family === 'package') await this.addPackage(id('package_id') ?? '');
    else if (family === 'blob') await this.addBlob(id('sha256') ?? '');
    else if (family === 'fact') {
      // The fact that was replaced comes first, so that it has ended when its successor arrives.
      for (const factId of [id('supersedes'), id('fact_id')]) if (factId) await this.addFact(factId);
    }
  }

  addProject(): void {
    if (this.#isNew('project')) this.#take(this.projects, JSON.stringify(projectBody(this.#project)));
  }

  async addSession(sessionId: string): Promise<void> {
    if (!this.#isNew('session', sessionId)) return;
    const { projectId } = this.#project;
    if (!isUuidShaped(sessionId)) {
      this.#take(this.sessions, await selectForeignSession(this.#reader, projectId, sessionId));
      return;
    }
    const session = await selectSession(this.#reader, sessionId);
    const carried = session && !session.standing && session.projectId === projectId;
    if (carried) this.#take(this.sessions, await sessionText(this.#reader, session));
  }

  async addPackage(packageId: string): Promise<void> {
    if (this.#seen.has(keyOf('package', packageId))) return;
    const stored = await selectPackage(this.#reader, this.#project.projectId, packageId);
    if (stored) await this.addStored(stored);
  }

  async addStored(stored: StoredPackage): Promise<void> {
    // A package that does not match its hash would be refused there, and the whole page with it.
    if (stored.quarantined || !this.#isNew('package', stored.packageId)) return;
    if (!isOwner(this.#principal) && !isVisibleTo(stored, this.#principal.actor)) return;
    const item = await packageItem(this.#reader, stored);
    (stored.tombstone === null ? this.packages : this.tombstones).push(item);
    this.#bytes += item.line.length;
  }

  async addFact(factId: string): Promise<void> {
    if (!this.#isNew('fact', factId)) return;
    const fact = await selectFact(this.#reader, this.#project.projectId, factId);
    this.#take(this.facts, fact && factText(fact));
  }

  async addBlob(sha256: string): Promise<void> {
    if (!this.#isNew('blob', sha256)) return;
    const { projectId } = this.#project;
    const blob = await selectBlob(this.#reader, projectId, sha256);
    this.#take(this.blobs, blob && blobText(projectId, blob));
  }

  #take(lines: string[], line: string | undefined): void {
    if (line === undefined) return;
    lines.push(line);
    this.#bytes += line.length;
  }

  #isNew(...parts: string[]): boolean {
    const key = keyOf(...parts);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}

function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}
