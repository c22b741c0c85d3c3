import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';

const LANDED = new URL('landed-steps.json', import.meta.url);

type Steps = Readonly<Record<string, string>>;

describeOnEachEngine('the steps of the schema', (open) => {
  it('are those that stores were made with: what changes is a new step', async () => {
    const db = await open(migrations);
    const rows = await db.read((reader) =>
      reader.all<{ name: string; checksum: string }>('select name, checksum from schema_migrations'),
    );
    const steps: Steps = Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
    const landed = JSON.parse(readFileSync(LANDED, 'utf8')) as Readonly<Record<string, Steps>>;
    // A new step is added to the file by hand, once, when it lands.
    expect(steps).toEqual(landed[open.engine]);
  });
});
