import { cliErrors } from './errors.ts';
import { print } from './output.ts';

export interface JsonOption {
  readonly json?: boolean;
}

/** Prints what a verb on files found: JSON for scripts, words for people. */
export async function printFound<Found>(
  finding: Promise<Found>,
  { json }: JsonOption,
  asText: (found: Found) => string,
): Promise<Found> {
  const found = await finding.catch((error) => {
    throw asFileError(error);
  });
  print(found, json, asText);
  return found;
}

/** A file that is missing or holds no JSON is for the user to correct, not a fault of ours. */
function asFileError(error: unknown): unknown {
  if (error instanceof SyntaxError) {
    return cliErrors.file_unreadable({
      message: `A file is not JSON: ${error.message}.`,
      next: 'Fix the file.',
      cause: error,
    });
  }
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof code !== 'string' || typeof path !== 'string') return error;
  return cliErrors.file_unreadable({ message: `${path} cannot be used (${code}).`, cause: error });
}
