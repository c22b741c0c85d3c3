import { afterAll, beforeAll } from 'vitest';
import { buildDashboard } from './build-dashboard.ts';
import { connecting } from './chapters/connecting.ts';
import { context, contextWithoutWork } from './chapters/context.ts';
import { fullOverview, newcomersOverview } from './chapters/full-overview.ts';
import { inbox } from './chapters/inbox.ts';
import { inboxContent } from './chapters/inbox-content.ts';
import { journal } from './chapters/journal.ts';
import { looks } from './chapters/looks.ts';
import { memory } from './chapters/memory.ts';
import { overview } from './chapters/overview.ts';
import { policies } from './chapters/policies.ts';
import { runs } from './chapters/runs.ts';
import { settings } from './chapters/settings.ts';
import { signingIn } from './chapters/signing-in.ts';
import { traces } from './chapters/traces.ts';
import { trouble } from './chapters/trouble.ts';
import { why } from './chapters/why.ts';
import { describeInChromium } from './chromium.ts';
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
  connecting(stage);
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

  newcomersOverview(stage);
  contextWithoutWork(stage);
  context(stage);
  policies(stage);
  memory(stage);
  inboxContent(stage);
  runs(stage);
  traces(stage);
  why(stage);
  fullOverview(stage);
});
