import { type Command, Option } from 'commander';
import { type CanonicalProfile, canonicalText } from '../../../kernel/json/canonical/profile.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { readInput } from '../input.ts';

interface HashOptions {
  readonly profile: CanonicalProfile;
  readonly text?: boolean;
  readonly lenient?: boolean;
}

export function addHashCommand(program: Command): void {
  program
    .command('hash')
    .description('Print the SHA-256 of the canonical form of JSON on standard input.')
    .argument('[file]', 'a file instead of standard input', '-')
    .addOption(
      new Option('--profile <name>', 'which canonical form')
        .choices(['agentic', 'appendix-b', 'jcs'])
        .makeOptionMandatory(),
    )
    .option('--text', 'print the canonical text instead of its hash')
    .option('--lenient', 'accept duplicate keys and lone surrogates, as Python does')
    .action(async (file: string, options: HashOptions) => {
      const value = readJson(decodeUtf8(await readInput(file)), {
        lenient: options.lenient === true,
        maxDepth: 1000,
      });
      const text = canonicalText(options.profile, value);
      process.stdout.write(options.text ? text : `${nodeHasher.hex(text)}\n`);
    });
}
