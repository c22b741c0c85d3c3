/** A pure function of plain data that may take long: what structured cloning can copy goes in and comes out. */
export interface Task<In, Out> {
  readonly name: string;
  readonly run: (input: In) => Out;
}

export interface WorkBudget {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Runs what a caller can make expensive, so that it costs that caller an answer and nobody else anything. */
export interface BoundedWork {
  /** Throws `work_too_large` past the budget, `work_queue_full` where too many wait, and what the task itself throws. */
  run<In, Out>(task: Task<In, Out>, input: In): Promise<Out>;
  close(): Promise<void>;
}

/** On this thread and without a budget: for commands that work on their user's own files, and for tests of rules. */
export const unboundedWork: BoundedWork = {
  run: async (task, input) => task.run(input),
  close: async () => undefined,
};
