import type { JournalHead, ProjectCounter } from '../numbers/number-store.ts';
import { type CheckedEvent, placeOf } from './checked-event.ts';
import type { Faults } from './report.ts';

interface ProjectProgress {
  next: number;
  /** Where feeds begin: after the last event whose payload is gone. */
  oldest: number;
}

/** Leaves run from 0 and a project's numbers from 1, both without gaps; the counters are where they end. */
export class NumberCheck {
  readonly #faults: Faults;
  readonly #projects = new Map<string, ProjectProgress>();
  nextLeaf = 0;
  #oldestLeaf = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  push(event: CheckedEvent, pruned: boolean): void {
    const { projectId, projectSeq } = event;
    const leaf = event.leaf as number;
    if (leaf !== this.nextLeaf) {
      const message = `Expected leaf ${this.nextLeaf}, found ${leaf}.`;
      this.#faults.add({ kind: 'leaf_gap', message, ...placeOf(event) });
    }
    this.nextLeaf = leaf + 1;
    const project = this.#projects.get(projectId) ?? { next: 1, oldest: 1 };
    if (projectSeq !== project.next) {
      const message = `Expected number ${project.next} in project ${projectId}, found ${projectSeq}.`;
      this.#faults.add({ kind: 'project_gap', message, ...placeOf(event) });
    }
    project.next = (projectSeq ?? project.next) + 1;
    if (pruned) {
      project.oldest = project.next;
      this.#oldestLeaf = this.nextLeaf;
    }
    this.#projects.set(projectId, project);
  }

  finish(head: JournalHead | undefined, counters: readonly ProjectCounter[]): void {
    const row = { table: 'journal_head', key: '1' };
    if (!head) this.#mismatch('The row that counts the leaves is missing.', row);
    if (head && head.next_leaf !== this.nextLeaf) {
      this.#mismatch(`The journal counts ${head.next_leaf} leaves, its events end at ${this.nextLeaf}.`, row);
    }
    if (head && head.oldest_leaf !== this.#oldestLeaf) {
      this.#mismatch(
        `Feeds begin at leaf ${head.oldest_leaf}, though payloads are kept from ${this.#oldestLeaf} on.`,
        row,
      );
    }
    const counted = new Map(counters.map((counter) => [counter.project_id, counter]));
    for (const id of new Set([...this.#projects.keys(), ...counted.keys()]))
      this.#compare(id, counted.get(id));
  }

  #compare(key: string, counter: ProjectCounter | undefined): void {
    const row = { table: 'journal_projects', key };
    const found = this.#projects.get(key);
    if (!counter) this.#mismatch(`The events of project ${key} are not counted.`, row);
    if (!found) this.#mismatch(`Project ${key} is counted, but has no events.`, row);
    if (!counter || !found) return;
    if (counter.next_seq !== found.next) {
      this.#mismatch(
        `Project ${key} counts ${counter.next_seq - 1} events, its events end at ${found.next - 1}.`,
        row,
      );
    }
    if (counter.oldest_seq !== found.oldest) {
      this.#mismatch(
        `Feeds of project ${key} begin at ${counter.oldest_seq}, though payloads are kept from ${found.oldest} on.`,
        row,
      );
    }
  }

  #mismatch(message: string, row: { readonly table: string; readonly key: string }): void {
    this.#faults.add({ kind: 'counter_mismatch', message, ...row });
  }
}
