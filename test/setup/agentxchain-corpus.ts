import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const corpora = process.env.BATON_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');
const folder = join(corpora, 'agentxchain', 'fixtures');

/** The public AgentXchain fixtures, where the machine has a copy; they are not part of this repository. */
export const publicFixtures: string | undefined = existsSync(folder) ? folder : undefined;
if (publicFixtures === undefined)
  console.log(`skipped: the public AgentXchain corpus, because ${folder} is not there (set BATON_CORPORA)`);
