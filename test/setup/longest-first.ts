import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes a minute by itself: started last, it would be waited for alone. */
const LONG = [
  'test/browser/dashboard.test.ts',
  'test/docs/readme.test.ts',
  'test/packages/install.test.ts',
  'test/connect/connect.test.ts',
  'test/relay/harness-backends.test.ts',
  'test/mcp/resources.test.ts',
  'test/context/conformance.test.ts',
  'test/delivery/commands.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONG.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
      return place < 0 ? LONG.length : place;
    };
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
