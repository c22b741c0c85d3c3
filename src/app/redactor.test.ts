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

  it('cannot be held up by a text that was written for one of its patterns', async () => {
    const redact = await createRedactor({ secrets: true, file: await patternFile('^(a+)+$\n(x+x+)+y') });
    const before = process.cpuUsage();
    redact?.(`${'a'.repeat(100_000)}!`);
    redact?.('x'.repeat(100_000));
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it('refuses a pattern that cannot be matched in linear time, and says so', async () => {
    const file = await patternFile('K-\\d+\n(?<=id )\\w+\n');
    await expect(createRedactor({ secrets: false, file })).rejects.toMatchObject({
      code: 'redaction_unusable',
      message: expect.stringContaining('linear time'),
      details: { line: 2 },
    });
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
