/** For people: a passkey needs a host name, so loopback is called by its name in everything that is printed. */
export function pageUrl(url: string): string {
  return url.replace(/^(https?:\/\/)(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '$1localhost');
}
