export interface Progress {
  step(done: number, total: number, message: string): void;
  done(message?: string): void;
}

const SILENT: Progress = { step: () => undefined, done: () => undefined };

/** A progress bar on a terminal, otherwise nothing. Standard output is reserved for the result. */
export async function progress(title: string): Promise<Progress> {
  if (!process.stderr.isTTY) return SILENT;
  const prompts = await import('@clack/prompts');
  let bar: ReturnType<typeof prompts.progress> | undefined;
  let at = 0;
  return {
    step(done, total, message) {
      if (!bar) {
        bar = prompts.progress({ max: total, output: process.stderr });
        bar.start(title);
      }
      bar.advance(done - at, message);
      at = done;
    },
    done: (message) => bar?.stop(message ?? `${title}: done`),
  };
}
