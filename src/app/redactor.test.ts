import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../spine/journal/testing.ts';
import { createRedactor } from './redactor.ts';

async function patternFile(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'redact.txt');
  await writeFile(file, text);
  return file;
}

describe('the redactor', () => {
  it('takes out what looks like a secret, and every match of the patterns in the file', async () => {
    const file = await patternFile('# customers\nK-\\d{4}\n\n');
    const redact = await createRedactor({ secrets: true, file });
    expect(redact?.('Refund K-1234 and K-9999 with password=hunter22, not L-1')).toBe(
      'Refund __REDACTED__ and __REDACTED__ with password=__REDACTED__, not L-1',
    );
    const own = await createRedactor({ secrets: false, file });
    expect(own?.('K-1234 password=hunter22')).toBe('__REDACTED__ password=hunter22');
  });

  it('is none when nothing is set', async () => {
    expect(await createRedactor({ secrets: false, file: undefined })).toBeUndefined();
  });

  it('names the line that is no pattern, and a file that is not there', async () => {
    const file = await patternFile('ok\n(\n');
    await expect(createRedactor({ secrets: false, file })).rejects.toMatchObject({
      code: 'redaction_unusable',
      details: { file, line: 2 },
    });
    await expect(createRedactor({ secrets: true, file: '/nowhere/redact.txt' })).rejects.toMatchObject({
      code: 'redaction_unusable',
    });
  });
});
