/** Lets the dashboard open while the server is away. Only a build: while developing, a kept page would be an old one. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  addEventListener('load', () => {
    // Without it everything works as before, but for opening without a server.
    void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  });
}
