import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageUrl } from '../../src/kernel/page-url.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { askForDecision, KIND } from './ask-for-decision.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { type Dashboard, newDashboard } from './dashboard.ts';

beforeAll(buildDashboard);

describeInChromium('passkeys in the dashboard', (browser) => {
  let server: TestServer;
  let url: string;
  let dashboard: Dashboard;
  let cdp: CDPSession;
  let authenticatorId: string;
  let elsewhere: Server;

  beforeAll(async () => {
    server = await startTestServer();
    url = pageUrl(server.url);
    server.app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
    dashboard = await newDashboard(browser(), server);
    cdp = await dashboard.page.context().newCDPSession(dashboard.page);
    await cdp.send('WebAuthn.enable');
    ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
    elsewhere = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Not Baton</h1>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    elsewhere.close();
    await dashboard?.close();
    await server?.close();
  });

  const text = (words: string | RegExp) => dashboard.page.getByText(words).first().waitFor();

  /** An agent with the owner key opens a session of its own, without any browser. */
  async function agentsSession() {
    const made = await server.fetch('/v1/dashboard/links', { method: 'POST' });
    const { link } = (await made.json()) as { link: string };
    const opened = await fetch(`${url}/v1/dashboard/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    });
    const { csrf_token } = (await opened.json()) as { csrf_token: string };
    const headers = {
      cookie: (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      'x-csrf-token': csrf_token,
      'content-type': 'application/json',
      origin: url,
    };
    return async (path: string, body: object = {}) => {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
      return { status: response.status, json: (await response.json()) as any };
    };
  }

  it('are asked for where a decision needs a person, and are set up in the settings', async () => {
    await dashboard.page.goto(`${url}${await server.app.dashboardLink()}`);
    await dashboard.page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    const id = await askForDecision(server, 'Pay the invoice', 'critical');
    await dashboard.page.goto(`${url}/inbox?item=${id}`);
    await text('Its risk requires a passphrase or a passkey, and you have neither yet.');
    await dashboard.page.goto(`${url}/settings`);
    await dashboard.page.getByLabel('Name (optional)').fill('Test laptop');
    await dashboard.page.getByRole('button', { name: 'Add a passkey' }).click();
    await text('The passkey is added.');
    await dashboard.page.getByRole('list', { name: 'Your passkeys' }).getByText('Test laptop').waitFor();
    await dashboard.page.goto(`${url}/inbox?item=${id}`);
    await text('You will be asked to prove that you are here.');
    await dashboard.page.getByRole('button', { name: 'Approve' }).click();
    const dialog = dashboard.page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Use your passkey' }).click();
    await dialog.getByRole('button', { name: 'Use your passkey' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dashboard.page.getByRole('article').getByText('The decision is recorded and applied.').waitFor();
    expect(await server.client.call('inbox.get', { id })).toMatchObject({
      state: 'applied',
      decision: { decision: 'approve', credential: 'dashboard' },
    });
    expect(dashboard.complaints).toEqual([]);
  });

  it('are of no use to a page on another port, which the browser lets ask for them', async () => {
    const agent = await agentsSession();
    const options = await agent('/v1/passkeys/challenge');
    expect(options.status).toBe(200);
    const before = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials[0]!.signCount;
    await dashboard.page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    const answer = await dashboard.page.evaluate(async ({ challenge, allowCredentials }) => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
      const base64 = (buffer: ArrayBuffer) =>
        btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replace(/=+$/, '');
      const found = (await navigator.credentials.get({
        publicKey: {
          challenge: bytes(challenge),
          rpId: 'localhost',
          userVerification: 'required',
          allowCredentials: [{ id: bytes(allowCredentials[0].id), type: 'public-key' }],
        },
      })) as PublicKeyCredential;
      const response = found.response as AuthenticatorAssertionResponse;
      return {
        id: found.id,
        rawId: found.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64(response.clientDataJSON),
          authenticatorData: base64(response.authenticatorData),
          signature: base64(response.signature),
        },
      };
    }, options.json);
    // The authenticator did sign: only the origin in what it signed gives the page away.
    const after = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials[0]!.signCount;
    expect(after).toBeGreaterThan(before);
    const proved = await agent('/v1/passkeys/presence', { answer });
    expect([proved.status, proved.json.error.code]).toEqual([401, 'passkey_refused']);
  });

  it('give nobody presence by a copied authenticator whose counter went back', async () => {
    await dashboard.page.goto(`${url}/settings`);
    await dashboard.page.getByRole('button', { name: 'Sign out' }).click();
    await text('Or with a one-time link');
    await dashboard.page.goto(`${url}${await server.app.dashboardLink()}`);
    await dashboard.page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [original] = credentials;
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...original!, signCount: 0 } });
    await dashboard.page.goto(`${url}/settings`);
    await dashboard.page.getByRole('button', { name: 'Use your passkey' }).click();
    await dashboard.page.getByRole('alert').filter({ hasText: 'The passkey was not accepted' }).waitFor();
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...original!, signCount: original!.signCount + 10 },
    });
    await dashboard.page.getByRole('button', { name: 'Use your passkey' }).click();
    await text('Proved in the last 15 minutes');
  });

  it('say where they work to whoever opened the dashboard by its address', async () => {
    await dashboard.page.goto(`${server.url}${await server.app.dashboardLink()}`);
    await dashboard.page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    await dashboard.page.goto(`${server.url}/settings`);
    await dashboard.page.getByRole('button', { name: 'Use your passkey' }).click();
    await dashboard.page.getByRole('alert').filter({ hasText: url }).waitFor();
  });
});
