/** Entry point of the thread that verifies the store. */
import { serveVerification } from '../spine/journal/verify/verify-worker.ts';
import { derivedTables } from './derived-tables.ts';
import { tables } from './tables.ts';

await serveVerification({ declarations: tables, derived: derivedTables });
