import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import { describeOnSqlite } from '../../src/spine/storage/testing.ts';
import { builtProduct } from '../setup/product.ts';

describeOnSqlite('a verification in a thread of its own', (open) => {
  it('is refused as its store refuses, where nobody answers', async () => {
    const workerFile = join(dirname(await builtProduct()), 'verify-worker.js');
    const verified = verifyStore({
      db: await open([]),
      databaseUrl: 'postgres://baton@127.0.0.1:1/baton',
      declarations: tables,
      trustedKeys: [],
      workerFile,
    });
    await expect(verified).rejects.toMatchObject({
      name: 'BatonError',
      code: 'storage_unavailable',
      status: 503,
      retryable: true,
    });
  });
});
