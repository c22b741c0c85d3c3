/** Entry point of the thread that verifies the store. */
import { serveVerification } from '../spine/journal/verify/verify-worker.ts';
import { tables } from './tables.ts';

await serveVerification(tables);
