import type { Reporter, TestModule } from 'vitest/node';

/** Names the files whose process died before it could tell how their tests ended: the runner says only that one did. */
export class UnfinishedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const left = [...module.children.allTests()].filter((test) => test.result().state === 'pending');
      if (left.length === 0 && module.state() !== 'pending' && module.state() !== 'queued') continue;
      console.error(`The process of ${module.moduleId} ended before these tests did:`);
      for (const test of left) console.error(`  ${test.fullName}`);
    }
  }
}
