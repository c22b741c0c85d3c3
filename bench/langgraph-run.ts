import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Side } from './harness.ts';

const TURNS = 3;

/**
 * The same three turns as a graph of LangGraph with its SQLite checkpointer: a file written and a checkpoint kept each. It
 * does no git, judges nothing and keeps no tree, so it is there for orientation only. Undefined where it is not installed.
 */
export async function langGraphRun(): Promise<Side | undefined> {
  const loaded = await load();
  if (loaded === undefined) return undefined;
  const { Annotation, END, START, SqliteSaver, StateGraph } = loaded;
  const State = Annotation.Root({
    turns: Annotation({ reducer: (_a: number, b: number) => b, default: () => 0 }),
  });
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-bench-graph-'));
    const take = ({ turns }: { turns: number }) => {
      writeFileSync(join(folder, 'file-1.js'), `${turns}\n`);
      return { turns: turns + 1 };
    };
    const saver = SqliteSaver.fromConnString(join(folder, 'checkpoints.db'));
    const graph = new StateGraph(State)
      .addNode('one', take)
      .addNode('two', take)
      .addNode('three', take)
      .addEdge(START, 'one')
      .addEdge('one', 'two')
      .addEdge('two', 'three')
      .addEdge('three', END)
      .compile({ checkpointer: saver });
    const { turns } = await graph.invoke({ turns: 0 }, { configurable: { thread_id: 'run' } });
    saver.db.close();
    rmSync(folder, { recursive: true, force: true });
    if (turns !== TURNS) throw new Error('the graph should have taken its turns');
    return TURNS;
  };
}

async function load() {
  try {
    const [graph, sqlite] = await Promise.all([
      import('@langchain/langgraph'),
      import('@langchain/langgraph-checkpoint-sqlite'),
    ]);
    // Its native part is built at installation, which not every machine can do.
    sqlite.SqliteSaver.fromConnString(':memory:');
    return { ...graph, SqliteSaver: sqlite.SqliteSaver };
  } catch {
    return undefined;
  }
}
