import { Worker } from 'node:worker_threads';
import type { BoundedWork, Task, WorkBudget } from './bounded-work.ts';
import { workErrors } from './errors.ts';
import type { TaskAnswer, TaskMessage } from './serve-tasks.ts';

export interface ThreadPoolOptions {
  /** The program of the threads, which calls `serveTasks`. */
  readonly file: string;
  readonly budget: WorkBudget;
  readonly threads?: number;
  readonly mostWaiting?: number;
  /** A thread without work ends after this long, and gives its memory back. */
  readonly idleSeconds?: number;
}

interface Order extends TaskMessage {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads start with the first task and are used again; one that goes over its budget is ended, whatever it is doing. */
export function createThreadPool(options: ThreadPoolOptions): BoundedWork {
  const { budget, threads: most = 2, mostWaiting = 64 } = options;
  const waiting: Order[] = [];
  const threads = new Set<Thread>();
  let closed = false;

  function next(): void {
    if (waiting.length === 0) return;
    let free = [...threads].find((thread) => !thread.busy);
    if (!free && threads.size < most) {
      free = new Thread(options, next, (thread) => threads.delete(thread));
      threads.add(free);
    }
    const order = free && waiting.shift();
    if (order) free?.do(order);
  }

  return {
    run<In, Out>({ name }: Task<In, Out>, input: In): Promise<Out> {
      if (closed || waiting.length >= mostWaiting) return Promise.reject(workErrors.work_queue_full());
      return new Promise<Out>((resolve, reject) => {
        waiting.push({ task: name, input, resolve: resolve as Order['resolve'], reject });
        next();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(workErrors.work_queue_full());
      await Promise.all([...threads].map((thread) => thread.end(tooLarge(budget))));
    },
  };
}

function tooLarge({ seconds, megabytes }: WorkBudget, cause?: unknown) {
  return workErrors.work_too_large({ details: { max_seconds: seconds, max_megabytes: megabytes }, cause });
}

const YOUNG_MEGABYTES = 8;
const IDLE_SECONDS = 30;

class Thread {
  readonly #worker: Worker;
  readonly #options: ThreadPoolOptions;
  readonly #onFree: () => void;
  readonly #onEnd: (thread: Thread) => void;
  #order: Order | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended: Promise<void> | undefined;

  constructor(options: ThreadPoolOptions, onFree: () => void, onEnd: (thread: Thread) => void) {
    this.#options = options;
    this.#onFree = onFree;
    this.#onEnd = onEnd;
    this.#worker = new Worker(options.file, {
      resourceLimits: {
        maxOldGenerationSizeMb: options.budget.megabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: TaskAnswer) => this.#answer(answer));
    // Out of memory, mostly: what a task throws comes as a message.
    this.#worker.on('error', (cause) => void this.end(tooLarge(options.budget, cause)));
    this.#worker.on('exit', () => void this.end(tooLarge(options.budget)));
  }

  get busy(): boolean {
    return this.#order !== undefined;
  }

  do(order: Order): void {
    clearTimeout(this.#timer);
    this.#order = order;
    // A process that waits for the answer does not end; one that has it is not kept alive by an idle thread.
    this.#worker.ref();
    const { budget } = this.#options;
    this.#timer = setTimeout(() => void this.end(tooLarge(budget)), budget.seconds * 1000);
    try {
      const message: TaskMessage = { task: order.task, input: order.input };
      this.#worker.postMessage(message);
    } catch (error) {
      this.#answer({ error });
    }
  }

  #answer(answer: TaskAnswer): void {
    const order = this.#order;
    clearTimeout(this.#timer);
    this.#order = undefined;
    this.#worker.unref();
    this.#timer = setTimeout(
      () => void this.end(),
      (this.#options.idleSeconds ?? IDLE_SECONDS) * 1000,
    ).unref();
    if ('result' in answer) order?.resolve(answer.result as never);
    // The input led so deep that the stack was used up: it is too large, not wrong.
    else if (answer.error instanceof RangeError) order?.reject(tooLarge(this.#options.budget, answer.error));
    else order?.reject(answer.error);
    this.#onFree();
  }

  /** Whoever still waits for an answer gets this error. */
  end(error?: unknown): Promise<void> {
    // Once: a second call would take the first one's listener for the end of the thread away.
    this.#ended ??= this.#end(error);
    return this.#ended;
  }

  async #end(error: unknown): Promise<void> {
    clearTimeout(this.#timer);
    const order = this.#order;
    this.#order = undefined;
    this.#onEnd(this);
    order?.reject(error);
    this.#worker.removeAllListeners('exit');
    await this.#worker.terminate();
    this.#onFree();
  }
}
