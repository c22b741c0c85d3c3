import { z } from 'zod';

/** A project that need not be named. The command line names the one of the repository it runs in. */
export const ownProject = z.string().optional().describe("Defaults to the credential's default project.");
