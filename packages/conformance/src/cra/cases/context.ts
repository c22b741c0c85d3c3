/** Sections 3.3, 4.3.5 and 5.3: the context an agent receives, its order, and its record in the trace. */
import type { LooseRecord } from '../../../../../src/kernel/json/loose.ts';
import { assert, assertEqual, Skip } from '../../assertions.ts';
import { ALLOW_ALL, type Bench } from '../bench.ts';
import { type ConformanceCase, carp } from '../case.ts';

interface Block {
  readonly block_id: string;
  readonly content: string;
}

const FILES = { 'context/first.md': '# First', 'context/second.md': '# Second' };

/** The protocol carries no files over HTTP, so a server that accepts none is skipped. */
async function resolved(bench: Bench, packs: readonly LooseRecord[], task: LooseRecord = {}) {
  await bench.loadRules([ALLOW_ALL], ['a.get'], {
    context_packs: [...packs, { pack_id: 'probe', name: 'Probe', files: ['context/first.md'], priority: 0 }],
    metadata: { context_files: FILES },
  });
  const session = await bench.start();
  const resolution = await bench.resolve(session, { task: { goal: 'Run the suite', ...task } });
  const blocks = resolution.context_blocks as Block[];
  if (!blocks.some(({ content }) => content === FILES['context/first.md']))
    throw new Skip('the server accepts no context files over HTTP');
  return { session, resolution, ids: blocks.map((block) => block.block_id).filter((id) => id !== 'probe') };
}

const pack = (id: string, priority: number, rest: LooseRecord = {}): LooseRecord => ({
  pack_id: id,
  name: id,
  files: ['context/second.md'],
  priority,
  ...rest,
});

export const contextConformance: readonly ConformanceCase[] = [
  carp('context.order', ['R15', 'R67'], async (bench) => {
    const { ids } = await resolved(bench, [pack('low', 1), pack('high', 900), pack('middle', 500)]);
    assertEqual(ids, ['high', 'middle', 'low'], 'blocks by priority');
  }),
  carp('context.members', ['R15', 'R97'], async (bench) => {
    const { resolution } = await resolved(bench, [pack('one', 7)]);
    bench.fits('carp-resolution', resolution);
    const found = resolution.context_blocks.map((block: LooseRecord) => [
      block.source,
      block.content_type,
      block.priority,
    ]);
    const expected = [7, 0].map((priority) => [bench.atlasId, 'text/markdown', priority]);
    assertEqual(found, expected, 'blocks');
  }),
  carp('context.tier', ['R10', 'R67'], async (bench) => {
    const packs = [pack('grave', 5, { conditions: { risk_tiers: ['critical'] } }), pack('plain', 4)];
    assertEqual((await resolved(bench, packs)).ids, ['plain'], 'blocks at low risk');
    const task = { goal: 'Run the suite', risk_tier: 'critical' };
    const { context_blocks } = await bench.resolve(await bench.start(), { task });
    const ids = context_blocks.map(({ block_id }: Block) => block_id);
    assertEqual(ids, ['grave', 'plain', 'probe'], 'blocks at critical risk');
  }),
  carp('context.agents', ['R67'], async (bench) => {
    const packs = [
      pack('theirs', 5, { conditions: { agents: ['nobody-*'] } }),
      pack('ours', 4, { conditions: { agents: ['conform*'] } }),
    ];
    assertEqual((await resolved(bench, packs)).ids, ['ours'], 'blocks');
  }),
  carp('context.injected', ['R50'], async (bench) => {
    const { session, resolution } = await resolved(bench, [pack('one', 7)]);
    const payloads = (await bench.eventsOf('context.injected', session)).map(({ payload }) => payload);
    const named = (blocks: readonly LooseRecord[]) => blocks.map((block) => [block.block_id, block.source]);
    assertEqual(named(payloads), named(resolution.context_blocks), 'context.injected');
    const counted = payloads.every(({ token_count }) => Number.isInteger(token_count));
    assert(counted, 'token_count is not an integer', payloads);
  }),
];
