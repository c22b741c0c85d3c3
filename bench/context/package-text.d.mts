export function packageTexts(maker: string): (project: string) => string;
