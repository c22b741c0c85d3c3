import { fileURLToPath } from 'node:url';
import { type OutageServer, runOutage } from '../../test/relay/outage-run.ts';
import { type BenchCase, quantile } from '../harness.ts';
import { playRole, startRole } from '../relay/processes.ts';

/** `BENCH_SHORT=1` tries the case out; its figures say nothing. */
const SHORT = process.env.BENCH_SHORT === '1';
const PLAN = SHORT
  ? { perSecond: 100, warmSeconds: 1, upSeconds: 1, downSeconds: 2 }
  : { perSecond: 200, warmSeconds: 15, upSeconds: 20, downSeconds: 60 };
const MOST_GROWTH = 64 * 1024 * 1024;

/** The relay has a process to itself, as in life: what its callers and its collector cost is not its own. */
async function serverOfItsOwn(dataDir: string): Promise<OutageServer> {
  const {
    url,
    ownerToken = '',
    rss,
    stop,
  } = await startRole(fileURLToPath(import.meta.url), 'server', { dataDir });
  return { url, ownerToken, rss, close: stop };
}

export const benchCase: BenchCase = {
  name: 'relay-outage',
  title: `A collector that is away for ${PLAN.downSeconds} s at ${PLAN.perSecond} requests/s`,
  async prepare() {
    const { sent, stored, lost, duplicated, dropped, up, down, rssGrowthBytes } = await runOutage(
      PLAN,
      serverOfItsOwn,
    );
    const [upP50, downP50] = [quantile(up, 0.5), quantile(down, 0.5)];
    const slower = downP50 / upP50 - 1;
    return {
      facts: [
        { name: 'requests', value: sent, unit: '' },
        { name: 'spans', value: stored, unit: '' },
        { name: 'spans lost', value: lost, unit: '', goal: { text: 'none', met: lost === 0 } },
        {
          name: 'spans that the collector got twice',
          value: duplicated,
          unit: '',
          goal: { text: 'none', met: duplicated === 0 },
        },
        {
          name: 'spans dropped from the spool',
          value: dropped,
          unit: '',
          goal: { text: 'none', met: dropped === 0 },
        },
        { name: 'request p50, collector there', value: upP50, unit: 'ms' },
        {
          name: 'request p50, collector away',
          value: downP50,
          unit: 'ms',
          goal: { text: 'within 10 % of the other', met: slower <= 0.1 },
        },
        { name: 'request p99, collector away', value: quantile(down, 0.99), unit: 'ms' },
        {
          name: 'growth of the process during the outage',
          value: rssGrowthBytes / 1024 / 1024,
          unit: 'MiB',
          goal: { text: 'at most 64 MiB', met: rssGrowthBytes <= MOST_GROWTH },
        },
      ],
    };
  },
};

await playRole();
