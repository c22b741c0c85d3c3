/** What a setting may be. A text that is none of it is refused by name, with `allowed`. */
export interface SettingType<T> {
  /** Completes "…: allowed is". */
  readonly allowed: string;
  /** Undefined where the text is not allowed. */
  read(text: string): T | undefined;
}

export const text: SettingType<string> = { allowed: 'any text', read: (given) => given };

export const flag: SettingType<boolean> = {
  allowed: '1 or 0',
  read: (given) => FLAGS.get(given.toLowerCase()),
};
const FLAGS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

export function oneOf<const T extends string>(...words: readonly T[]): SettingType<T> {
  return { allowed: words.join(' or '), read: (given) => words.find((word) => word === given) };
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): SettingType<number> {
  const allowed =
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${least} on`
      : `a whole number from ${least} to ${most}`;
  return {
    allowed,
    read: (given) => (/^\d{1,15}$/.test(given) ? within(Number(given), least, most) : undefined),
  };
}

export function decimal(least: number): SettingType<number> {
  return {
    allowed: `a number from ${least} on`,
    read: (given) => (/^\d{1,15}(\.\d+)?$/.test(given) ? within(Number(given), least, Infinity) : undefined),
  };
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

export const webAddress: SettingType<string> = {
  allowed: 'an address that begins with http:// or https://',
  read: (given) => (/^https?:\/\/[^\s]+$/i.test(given) && URL.canParse(given) ? given : undefined),
};

/** `postgres://a:1,b:2/name` names several hosts, and is no URL. */
export const storeAddress: SettingType<string> = {
  allowed: 'sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME',
  read: (given) => (/^(sqlite:|file:|postgres(ql)?:\/\/)\S/.test(given) ? given : undefined),
};

export const bindAddress: SettingType<string> = {
  allowed: 'a host name or an IP address, without a port',
  read: (given) => (/^[\w.-]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(given) ? given : undefined),
};

export const list: SettingType<readonly string[]> = {
  allowed: 'names with commas between them',
  read: (given) =>
    given
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
};

/** Names as a `Host` header has them, with or without a port. */
export const hosts: SettingType<readonly string[]> = {
  allowed: 'host or host:port, with commas between several',
  read: (given) => {
    const named = list.read(given) ?? [];
    return named.every((host) => /^(\[[\da-f:.]+\]|[\w.*-]+)(:\d{1,5})?$/i.test(host)) ? named : undefined;
  },
};
