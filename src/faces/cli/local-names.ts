/** `did:a2p:agent:local:coach` is `coach` to whoever reads it here; DIDs of elsewhere stay as they are. */
export function withLocalNames(text: string): string {
  return text.replaceAll(/\bdid:a2p:\w+:local:([\w.-]+)/g, '$1');
}
