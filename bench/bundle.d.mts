export function bundle(entry: string, file: string): Promise<string>;
