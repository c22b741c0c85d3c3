/** Runs once before all suites. Suites that need a server process start it themselves. */
export async function setup(): Promise<void> {}
