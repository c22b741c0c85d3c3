import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { requireReadableProject } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import type { OpenReview } from '../review/review.ts';
import { convertBeads } from './convert/beads.ts';
import type { Converted } from './convert/converted.ts';
import { convertMarkdown } from './convert/markdown.ts';
import { convertRelay } from './convert/relay.ts';
import { convertServerMemory } from './convert/server-memory.ts';
import { createExport } from './export.ts';
import { createImport } from './import/import.ts';
import type { transferOperations } from './operations.ts';
import type { ImportBatch, ImportCounts } from './schema.ts';
import { createSync } from './sync.ts';

const USUAL_PAGE = 500;
const SYNC_PAGE = 200;

/** Carries the result of a dry run out of the unit that it rolls back. */
class DryRun extends Error {
  readonly counts: ImportCounts;

  constructor(counts: ImportCounts) {
    super('dry run');
    this.counts = counts;
  }
}

/** In characters, of all lines but those of blobs: a batch is one unit of work, which all other writing waits for. */
const LARGEST_BATCH = 8 * 1024 * 1024;
const MOST_LINES = 2_000;

function requireSmallBatch({ projects, sessions, packages, tombstones, facts }: ImportBatch): void {
  const items = [...(packages ?? []), ...(tombstones ?? [])].flatMap(
    ({ line, reviews = [], attestations = [] }) => [line, ...reviews, ...attestations],
  );
  const lines = [projects, sessions, facts, items].flatMap((some) => some ?? []);
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length <= MOST_LINES && length <= LARGEST_BATCH) return;
  throw contextErrors.invalid_import({
    message: `A batch has at most ${MOST_LINES} lines, with ${LARGEST_BATCH} characters together.`,
    next: 'Send the lines in smaller batches, in the same order.',
    details: { max_lines: MOST_LINES, max_characters: LARGEST_BATCH },
  });
}

export function createTransferHandlers(
  deps: ContextDeps,
  openReview: OpenReview,
): Handlers<typeof transferOperations> {
  const { db, hasher, compaction } = deps;
  const exportPage = createExport(deps);
  const syncPage = createSync(deps);
  const importAll = createImport(deps, openReview);

  function convert(format: string, file: string, rows: readonly LooseRecord[], project: string): Converted {
    if (format === 'relay') return convertRelay(file, rows, project);
    if (format === 'beads') return convertBeads(hasher, rows, project);
    return format === 'markdown'
      ? convertMarkdown(hasher, rows, project)
      : convertServerMemory(hasher, rows, project);
  }

  return {
    'transfer.export': async (reader, { input, principal }) => {
      const project = await requireReadableProject(reader, principal, input.path.project_id);
      const { file, after, limit = USUAL_PAGE } = input.query;
      return { body: await exportPage(reader, { project, file, after, limit, principal }) };
    },

    'transfer.import': async ({ input, principal }) => {
      const { dry_run = false, ...batch } = input.body;
      requireSmallBatch(batch);
      try {
        const { counts, key } = await db.write(async (uow) => {
          const made = await importAll(uow, batch, principal);
          if (dry_run) throw new DryRun(made);
          return { counts: made, key: made.redacted > 0 ? await compaction.due(uow) : undefined };
        });
        // Rewrites the file, so that no free page keeps any of what was destroyed.
        if (key !== undefined) await compaction.now(key);
        return { body: counts };
      } catch (error) {
        if (error instanceof DryRun) return { body: error.counts };
        throw error;
      }
    },

    'transfer.sync': async ({ input, principal, signal }) => {
      const { cursor, limit = SYNC_PAGE, wait: waitSeconds = 0 } = input.query;
      const project = await db.read((reader) =>
        requireReadableProject(reader, principal, input.path.project_id),
      );
      const page = await syncPage({ project, principal, cursor, limit, waitSeconds, signal });
      const { projects, sessions, packages, tombstones, facts, blobs } = page.batch;
      return { body: { ...page, batch: { projects, sessions, packages, tombstones, facts, blobs } } };
    },

    'transfer.convert': async (_, { input }) => {
      const { format, project, file = '', lines } = input.body;
      const converted = convert(format, file, lines, project);
      return {
        body: {
          packages: converted.packages.map((one) => JSON.stringify(one)),
          facts: converted.facts.map((one) => JSON.stringify(one)),
          sessions: converted.sessions.map((one) => JSON.stringify(one)),
          skipped: converted.skipped,
        },
      };
    },
  };
}
