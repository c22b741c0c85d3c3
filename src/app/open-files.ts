import { appErrors } from './errors.ts';

/** The store, its readers, threads and a handful of clients; with fewer, whichever comes last fails with a strange error. */
const FEWEST = 128;

/** Refuses to serve where the first clients would already be turned away. */
export function requireOpenFiles(): void {
  const limit = softLimit();
  if (limit === undefined || limit >= FEWEST) return;
  throw appErrors.too_few_files({
    message: `This process may open only ${limit} files at once; a server needs ${FEWEST} and one for each connection.`,
    details: { limit, needed: FEWEST },
  });
}

interface Limits {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
}

function softLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as unknown as Limits;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}
