/** The servers of one address, of which one takes writes: `postgres://user@a:5432,b:5432/name`. */
export class Hosts {
  readonly #addresses: readonly string[];
  #at = 0;

  constructor(url: string) {
    this.#addresses = addressesOf(url);
  }

  get count(): number {
    return this.#addresses.length;
  }

  get current(): string {
    return this.#addresses[this.#at] ?? '';
  }

  /** Whoever found that a server is away or only reads turns to the next, unless somebody else has done so already. */
  turnFrom(address: string): void {
    if (address === this.current) this.#at = (this.#at + 1) % this.#addresses.length;
  }
}

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*,[^/?@]*)((?:[/?].*)?)$/;

/** What one address with several hosts stands for: the same address with each. */
export function addressesOf(url: string): string[] {
  const several = SEVERAL.exec(url);
  if (several === null) return [url];
  const [, before = '', hosts = '', after = ''] = several;
  return hosts.split(',').map((host) => `${before}${host.trim()}${after}`);
}
