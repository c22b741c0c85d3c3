import { type CheckedEvent, placeOf } from './checked-event.ts';
import type { Faults } from './report.ts';

/** Leaves run from 0 and a project's numbers from 1, both without gaps. */
export class NumberCheck {
  readonly #faults: Faults;
  readonly #nextInProject = new Map<string, number>();
  nextLeaf = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  push(event: CheckedEvent): void {
    const { projectId, projectSeq } = event;
    const leaf = event.leaf as number;
    if (leaf !== this.nextLeaf) {
      const message = `Expected leaf ${this.nextLeaf}, found ${leaf}.`;
      this.#faults.add({ kind: 'leaf_gap', message, ...placeOf(event) });
    }
    this.nextLeaf = leaf + 1;
    const expected = this.#nextInProject.get(projectId) ?? 1;
    if (projectSeq !== expected) {
      const message = `Expected number ${expected} in project ${projectId}, found ${projectSeq}.`;
      this.#faults.add({ kind: 'project_gap', message, ...placeOf(event) });
    }
    this.#nextInProject.set(projectId, (projectSeq ?? expected) + 1);
  }

  finish(
    nextLeaf: number,
    projects: Iterable<{ readonly project_id: string; readonly next_seq: number }>,
  ): void {
    if (nextLeaf !== this.nextLeaf) {
      this.#faults.add({
        kind: 'counter_mismatch',
        message: `The journal counts ${nextLeaf} leaves, its events end at ${this.nextLeaf}.`,
        table: 'journal_head',
        key: '1',
      });
    }
    for (const { project_id, next_seq } of projects) {
      const found = this.#nextInProject.get(project_id) ?? 1;
      if (found === next_seq) continue;
      this.#faults.add({
        kind: 'counter_mismatch',
        message: `Project ${project_id} counts ${next_seq - 1} events, its events end at ${found - 1}.`,
        table: 'journal_projects',
        key: project_id,
      });
    }
  }
}
