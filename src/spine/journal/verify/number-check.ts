import type { CheckedEvent } from './checked-event.ts';
import type { Problems } from './report.ts';

/** Leaves run from 0 and a project's numbers from 1, both without gaps. */
export class NumberCheck {
  readonly #problems: Problems;
  readonly #nextInProject = new Map<string, number>();
  nextLeaf = 0;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  push(event: CheckedEvent): void {
    const { chainId, sequence, projectId, projectSeq } = event;
    const leaf = event.leaf as number;
    if (leaf !== this.nextLeaf) {
      this.#problems.add({
        error: 'leaf_gap',
        message: `Expected leaf ${this.nextLeaf}, found ${leaf}.`,
        chain_id: chainId,
        sequence,
        leaf,
      });
    }
    this.nextLeaf = leaf + 1;
    const expected = this.#nextInProject.get(projectId) ?? 1;
    if (projectSeq !== expected) {
      this.#problems.add({
        error: 'project_gap',
        message: `Expected number ${expected} in the project, found ${projectSeq}.`,
        project_id: projectId,
        leaf,
      });
    }
    this.#nextInProject.set(projectId, (projectSeq ?? expected) + 1);
  }

  finish(
    nextLeaf: number,
    projects: Iterable<{ readonly project_id: string; readonly next_seq: number }>,
  ): void {
    if (nextLeaf !== this.nextLeaf) {
      this.#problems.add({
        error: 'counter_mismatch',
        message: `The journal counts ${nextLeaf} leaves, its events end at ${this.nextLeaf}.`,
      });
    }
    for (const { project_id, next_seq } of projects) {
      const found = this.#nextInProject.get(project_id) ?? 1;
      if (found === next_seq) continue;
      this.#problems.add({
        error: 'counter_mismatch',
        message: `The project counts ${next_seq - 1} events, its events end at ${found - 1}.`,
        project_id,
      });
    }
  }
}
