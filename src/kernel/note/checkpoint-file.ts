/** How a kept checkpoint is called: its size first, so that the newest is the last by name. */
const DIGITS = 15;
const NAME = /^([0-9]{15})\.checkpoint$/;

export function checkpointFileName(size: number): string {
  return `${String(size).padStart(DIGITS, '0')}.checkpoint`;
}

/** The size that a file's name states; undefined for files of others. */
export function sizeInFileName(name: string): number | undefined {
  const match = NAME.exec(name);
  return match ? Number(match[1]) : undefined;
}
