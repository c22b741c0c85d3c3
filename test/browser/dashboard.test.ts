import { afterAll, beforeAll, describe } from 'vitest';
import { buildDashboard } from './build-dashboard.ts';
import { context, contextWithoutWork } from './chapters/context.ts';
import { inbox } from './chapters/inbox.ts';
import { inboxContent } from './chapters/inbox-content.ts';
import { journal } from './chapters/journal.ts';
import { looks } from './chapters/looks.ts';
import { memory } from './chapters/memory.ts';
import { overview } from './chapters/overview.ts';
import { policies } from './chapters/policies.ts';
import { settings } from './chapters/settings.ts';
import { signingIn } from './chapters/signing-in.ts';
import { trouble } from './chapters/trouble.ts';
import { describeInChromium } from './chromium.ts';
import { seedRun } from './seed/index.ts';
import { Stage } from './stage.ts';

beforeAll(buildDashboard);

describeInChromium('the dashboard', (browser) => {
  const stage = new Stage(browser);

  beforeAll(() => stage.set());

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

describeInChromium('the dashboard of a team at work', (browser) => {
  const stage = new Stage(browser);

  beforeAll(() => stage.set());

  afterAll(async () => {
    await stage.strike();
    console.log(`screenshots: ${stage.shots}`);
  });

  contextWithoutWork(stage);
  context(stage);
  policies(stage);
  memory(stage);

  describe('with questions of every kind', () => {
    beforeAll(async () => {
      stage.leftovers.push(await seedRun(stage.server));
    });

    inboxContent(stage);
  });
});
