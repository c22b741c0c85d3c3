import { afterAll, beforeAll } from 'vitest';
import { buildDashboard } from './build-dashboard.ts';
import { inbox } from './chapters/inbox.ts';
import { journal } from './chapters/journal.ts';
import { looks } from './chapters/looks.ts';
import { overview } from './chapters/overview.ts';
import { settings } from './chapters/settings.ts';
import { signingIn } from './chapters/signing-in.ts';
import { trouble } from './chapters/trouble.ts';
import { describeInChromium } from './chromium.ts';
import { Stage } from './stage.ts';

describeInChromium('the dashboard', (browser) => {
  const stage = new Stage(browser);

  beforeAll(async () => {
    await buildDashboard();
    await stage.set();
  });

  afterAll(async () => {
    await stage.strike();
    console.log(`screenshots: ${stage.shots}`);
  });

  signingIn(stage);
  overview(stage);
  inbox(stage);
  journal(stage);
  settings(stage);
  looks(stage);
  trouble(stage);
});
