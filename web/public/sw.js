/**
 * The offline shell: the page and the programs that this browser has seen open also while the server is away, and say so.
 * What the server knows is never kept: only the files of the dashboard are answered from here.
 */
const KEPT = 'baton-shell-1';
/** Programs have the digest of their content in their name, so older ones are of no use after an upgrade. */
const MOST_FILES = 160;

self.addEventListener('install', (event) => {
  event.waitUntil(keepPage().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
  // Answers of the server that open in a page of their own have an extension or a path of its faces.
  else if (
    request.mode === 'navigate' &&
    !/^\/(v1|a2a|a2p|mcp|oauth|login|agent-channel|conform)\b/.test(url.pathname)
  )
    event.respondWith(page(request));
});

/** The newest page there is; the kept one where there is no server. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match('/', { cacheName: KEPT });
    if (kept) return kept;
    throw error;
  }
}

async function asset(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const files = await cache.keys();
    for (const old of files.slice(0, Math.max(0, files.length - MOST_FILES))) await cache.delete(old);
  }
  return answer;
}

/** The page itself with what it names, so that it opens before anything else was asked for. */
async function keepPage() {
  const cache = await caches.open(KEPT);
  const answer = await fetch('/', { cache: 'no-cache' });
  if (!answer.ok) return;
  const text = await answer.clone().text();
  await cache.put('/', answer);
  const named = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, path]) => path);
  await Promise.all(named.map((path) => cache.add(path).catch(() => undefined)));
}
