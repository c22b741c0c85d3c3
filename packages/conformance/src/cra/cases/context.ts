/** Sections 3.3, 4.3.5 and 5.3: what an agent is told, in which order, and that it stands in the trace. */
import type { Bench, Doc } from '../bench.ts';
import { CaseSkipped, type ConformanceCase, expectSame, expectThat } from '../case.ts';

interface Block {
  readonly block_id: string;
  readonly content: string;
}

const FILES = { 'context/first.md': '# First', 'context/second.md': '# Second' };

/** The protocol moves no files over HTTP; a server that takes none is not asked further. */
async function resolved(bench: Bench, packs: readonly Doc[], task: Doc = {}) {
  await bench.loadRules([{ policy_id: 'all', type: 'allow' }], ['a.get'], {
    context_packs: [...packs, { pack_id: 'probe', name: 'Probe', files: ['context/first.md'], priority: 0 }],
    metadata: { context_files: FILES },
  });
  const session = await bench.start();
  const resolution = await bench.resolve(session, { task: { goal: 'Run the suite', ...task } });
  const blocks = resolution.context_blocks as Block[];
  if (!blocks.some(({ content }) => content === FILES['context/first.md']))
    throw new CaseSkipped('takes no context files over HTTP');
  return { session, resolution, ids: blocks.map((block) => block.block_id).filter((id) => id !== 'probe') };
}

const pack = (id: string, priority: number, rest: Doc = {}): Doc => ({
  pack_id: id,
  name: id,
  files: ['context/second.md'],
  priority,
  ...rest,
});

const context = (
  id: string,
  covers: readonly string[],
  run: (bench: Bench) => Promise<void>,
): ConformanceCase => ({
  id: `context.${id}`,
  covers,
  area: 'CARP-Core',
  run,
});

export const contextConformance: readonly ConformanceCase[] = [
  context('order', ['R15', 'R67'], async (bench) => {
    const { ids } = await resolved(bench, [pack('low', 1), pack('high', 900), pack('middle', 500)]);
    expectSame(ids, ['high', 'middle', 'low'], 'blocks by priority');
  }),
  context('members', ['R15', 'R97'], async (bench) => {
    const { resolution } = await resolved(bench, [pack('one', 7)]);
    bench.fits('carp-resolution', resolution);
    expectSame(
      resolution.context_blocks.map((block: Doc) => [block.source, block.content_type, block.priority]),
      [
        [bench.atlasId, 'text/markdown', 7],
        [bench.atlasId, 'text/markdown', 0],
      ],
      'blocks',
    );
  }),
  context('tier', ['R10', 'R67'], async (bench) => {
    const packs = [pack('grave', 5, { conditions: { risk_tiers: ['critical'] } }), pack('plain', 4)];
    expectSame((await resolved(bench, packs)).ids, ['plain'], 'blocks at low risk');
    const { context_blocks } = await bench.resolve(await bench.start(), {
      task: { goal: 'Run the suite', risk_tier: 'critical' },
    });
    expectSame(
      context_blocks.map(({ block_id }: Block) => block_id),
      ['grave', 'plain', 'probe'],
      'blocks at critical risk',
    );
  }),
  context('agents', ['R67'], async (bench) => {
    const packs = [
      pack('theirs', 5, { conditions: { agents: ['nobody-*'] } }),
      pack('ours', 4, { conditions: { agents: ['conform*'] } }),
    ];
    expectSame((await resolved(bench, packs)).ids, ['ours'], 'blocks');
  }),
  context('injected', ['R50'], async (bench) => {
    const { session, resolution } = await resolved(bench, [pack('one', 7)]);
    const told = (await bench.trace(session)).filter((event) => event.event_type === 'context.injected');
    expectSame(
      told.map(({ payload }) => [payload.block_id, payload.source]),
      resolution.context_blocks.map((block: Doc) => [block.block_id, block.source]),
      'context.injected',
    );
    expectThat(
      told.every(({ payload }) => Number.isInteger(payload.token_count)),
      'token_count is no integer',
      told,
    );
  }),
];
