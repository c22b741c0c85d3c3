import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

const PLACES = [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Runs a suite in a real Chromium. Where there is none it is skipped and says so, unless it is required. */
export function describeInChromium(name: string, suite: (browser: () => Browser) => void): void {
  const executablePath = PLACES.find((path) => path && existsSync(path));
  if (executablePath === undefined) {
    const reason = 'no Chromium found; run scripts/install-chromium.sh or set CHROMIUM_PATH';
    const required = (process.env.BATON_TEST_REQUIRE ?? '').split(',').includes('chromium');
    if (required) throw new Error(`Chromium is required: ${reason}`);
    console.warn(`skipped: ${name}: ${reason}`);
    describe.skip(name, () => suite(() => undefined as never));
    return;
  }
  describe(name, () => {
    let running: Browser | undefined;
    beforeAll(async () => {
      // Chromium's sandbox refuses to run as root, which is what containers are.
      const asRoot = process.getuid?.() === 0;
      running = await chromium.launch({
        executablePath,
        args: asRoot ? ['--no-sandbox'] : [],
        timeout: 120_000,
      });
    });
    afterAll(() => running?.close());
    suite(() => running as Browser);
  });
}
