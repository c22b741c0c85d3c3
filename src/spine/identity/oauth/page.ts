/** The page on which a person lets a client in. It has no script, and nothing of it comes from elsewhere. */
import { scopes as words } from '../scopes.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#1c2024;background:#fff}h1{font-size:1.4rem}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}fieldset{border:1px solid #ccd;border-radius:.5rem;margin:1rem 0}label{display:block;padding:.15rem 0}button{font:inherit;padding:.5rem 1.2rem;border-radius:.5rem;border:1px solid #334;background:#fff;margin-right:.5rem}button[value=allow]{background:#1c4ed8;color:#fff;border-color:#1c4ed8}.warn{background:#fff4d6;padding:.75rem 1rem;border-radius:.5rem}';

export interface ConsentView {
  readonly clientName: string;
  readonly redirectUri: string;
  readonly person: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly projects: readonly string[];
  readonly project: string;
  readonly present: boolean;
}

export function consentPage(view: ConsentView): string {
  const { clientName, redirectUri, scopes, projects, project, present } = view;
  const boxes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escaped(scope)}" checked> ${escaped(scope)}: ${escaped((words as Record<string, string>)[scope] ?? '')}</label>`,
  );
  const options = projects.map(
    (id) => `<option value="${escaped(id)}"${id === project ? ' selected' : ''}>${escaped(id)}</option>`,
  );
  const notice = present
    ? ''
    : '<p class="warn">Prove first that you are there: open the dashboard in another tab, confirm with your passkey or passphrase (Settings, or <code>baton passphrase</code> if you have none), then load this page again.</p>';
  return page(
    'Let a client in?',
    `<p>This program wants to work with Baton as an agent of its own. It named itself: nobody has checked the name.</p>
<dl><dt>Client</dt><dd>${escaped(clientName)}</dd><dt>The answer goes to</dt><dd>${escaped(destinationOf(redirectUri))}</dd><dt>You are</dt><dd>${escaped(view.person)}</dd></dl>
${notice}<form method="post" action="/oauth/authorize"><input type="hidden" name="request" value="${escaped(view.secret)}">
<label>Project <select name="project">${options.join('')}</select></label>
<fieldset><legend>It may</legend>${boxes.join('')}</fieldset>
<p>It never decides anything for you, and you can end it at any time with <code>baton oauth revoke</code>.</p>
<button name="decision" value="allow"${present ? '' : ' disabled'}>Allow</button><button name="decision" value="deny">Deny</button></form>`,
  );
}

export function noticePage(title: string, text: string): string {
  return page(title, `<p>${escaped(text)}</p>`);
}

/** Host and port of a page, the scheme of a program: what tells a friend from a stranger. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'http:' || protocol === 'https:'
    ? `${host} (${redirectUri})`
    : `the program behind ${protocol} (${redirectUri})`;
}

/**
 * After the form is sent, the browser follows the answer to the client: a policy for forms has to name it. Framing is
 * refused twice, for browsers old and new.
 */
export function pageHeaders(redirectUri?: string): Record<string, string> {
  const target = redirectUri === undefined ? '' : ` ${sourceOf(redirectUri)}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`,
  };
}

function sourceOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
