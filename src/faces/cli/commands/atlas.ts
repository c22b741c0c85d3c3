import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import pc from 'picocolors';
import { fromHex, toHex } from '../../../kernel/hex.ts';
import { ed25519 } from '../../../platform/index.ts';
import { makePrivateFolder, writePrivateFile } from '../../../platform/private-files.ts';
import type { AdapterName } from '../../../slices/governance/atlases/rules/emit-tools.ts';
import { asPerson } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import { type JsonOption, printFound } from '../file-verb.ts';
import { EXIT, type Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { forPeople, table } from '../output.ts';
import { addAuthorCommands } from './atlas-author.ts';

const files = {
  check: () => import('../../../slices/governance/atlases/files/inspect.ts'),
  package: () => import('../../../slices/governance/atlases/files/package.ts'),
  lock: () => import('../../../slices/governance/atlases/files/lock.ts'),
  text: () => import('./atlas-text.ts'),
};

const PATH = 'a directory with atlas.json, or a manifest';

/** The verbs on files; those on a server's Atlases are derived commands of the same group. */
export function addAtlasCommands(program: Command, host: Host): void {
  const atlas = program
    .command('atlas')
    .description('What agents may do: write, check, sign, load and inspect Atlases.');
  addAuthorCommands(atlas);
  addChecks(atlas);
  addComparisons(atlas);
  addPackages(atlas, host);
  addLock(atlas);
  addLoad(atlas, host);
}

function verb(atlas: Command, name: string, description: string): Command {
  return atlas.command(name).description(description).option('--json', 'print JSON');
}

function addChecks(atlas: Command): void {
  verb(atlas, 'lint', 'Report everything wrong, doubtful or missing in an Atlas.')
    .argument('<path>', PATH)
    .option('--lenient', 'accept members unknown to the schema')
    .option('--strict', 'fail on warnings too')
    .action(async (path: string, options: JsonOption & { lenient?: boolean; strict?: boolean }) => {
      const [{ lintAtlas }, { lintText }] = await Promise.all([files.check(), files.text()]);
      const mode = options.lenient ? 'lenient' : 'strict';
      const { loadable, findings } = await printFound(lintAtlas(path, mode), options, lintText);
      const doubtful = findings.some(({ severity }) => severity === 'warning');
      if (!loadable || (options.strict && doubtful)) process.exitCode = EXIT.error;
    });
  verb(atlas, 'validate', 'Check an Atlas against the schema, and nothing more.')
    .argument('<path>', PATH)
    .action(async (path: string, options: JsonOption) => {
      const [{ validateAtlas }, { findingLines }] = await Promise.all([files.check(), files.text()]);
      const { valid } = await printFound(validateAtlas(path), options, (found) =>
        [found.valid ? pc.green('valid') : pc.red('not valid'), ...findingLines(found.findings)].join('\n'),
      );
      if (!valid) process.exitCode = EXIT.error;
    });
  verb(atlas, 'analyze', 'Find policies that never matter and actions nobody can run, with examples.')
    .argument('<path>', PATH)
    .option('--strict', 'fail if anything is found')
    .action(async (path: string, options: JsonOption & { strict?: boolean }) => {
      const [{ analyzeAtlas }, { analysisText }] = await Promise.all([files.check(), files.text()]);
      const { findings } = await printFound(analyzeAtlas(path), options, analysisText);
      if (options.strict && findings.length > 0) process.exitCode = EXIT.error;
    });
  verb(atlas, 'info', 'Show what is in an Atlas.')
    .argument('<path>', PATH)
    .action(async (path: string, options: JsonOption) => {
      const [{ atlasInfo }, { infoText }] = await Promise.all([files.check(), files.text()]);
      await printFound(atlasInfo(path), options, infoText);
    });
  verb(atlas, 'test', 'Run the cases and replay the traces in the tests folder of an Atlas.')
    .argument('<directory>', 'a directory with atlas.json and tests')
    .option('--min-coverage <share>', 'share of policies that must have decided a test, from 0 to 1', '0')
    .action(async (directory: string, options: JsonOption & { minCoverage: string }) => {
      const minimum = Number(options.minCoverage);
      if (!(minimum >= 0 && minimum <= 1))
        throw cliErrors.bad_arguments({ message: '--min-coverage is a number from 0 to 1.' });
      const { testAtlas } = await import('../../../slices/governance/atlases/files/test-atlas.ts');
      const { testText } = await files.text();
      const { passed } = await printFound(testAtlas(directory, minimum), options, testText);
      if (!passed) process.exitCode = EXIT.error;
    });
}

interface LoadOptions {
  readonly mode: string;
  readonly project?: string;
  readonly guardrail?: boolean;
}

function addLoad(atlas: Command, host: Host): void {
  verb(atlas, 'load', 'Load an Atlas with its context into the project, replacing any other version of it.')
    .argument('<path>', PATH)
    .addOption(
      new Option('--mode <mode>', 'log_only records what would be refused but lets it run')
        .choices(['enforce', 'log_only'])
        .default('enforce'),
    )
    .option('--project <id>', 'the project (default: that of the credential)')
    .option('--guardrail', 'apply its rules to every request of the project, whichever Atlases that names')
    .option('--no-guardrail', 'end that')
    .action(async (path: string, { mode, project, guardrail, ...options }: JsonOption & LoadOptions) => {
      const { atlasToLoad } = await import('../../../slices/governance/atlases/files/inspect.ts');
      const { loadedText } = await files.text();
      const loading = atlasToLoad(path).then(async (manifest) => {
        const by = await asPerson(host);
        return withConnection(by, async (connection) => {
          const given = {
            manifest,
            mode,
            ...(project !== undefined && { project }),
            ...(guardrail !== undefined && { guardrail }),
          };
          return await ask(connection, by, 'atlas.load', given);
        });
      });
      await printFound(loading, options, loadedText);
    });
}

function addComparisons(atlas: Command): void {
  verb(
    atlas,
    'diff',
    'Compare two versions: what changed, what is decided differently, and whether the version number fits.',
  )
    .argument('<old>', PATH)
    .argument('<new>', PATH)
    .action(async (from: string, to: string, options: JsonOption) => {
      const [{ diffAtlasPaths }, { diffText }] = await Promise.all([files.check(), files.text()]);
      const { version_ok } = await printFound(diffAtlasPaths(from, to), options, diffText);
      if (!version_ok) process.exitCode = EXIT.error;
    });
  verb(
    atlas,
    'emit',
    'Print the actions of an Atlas as tools for a model; --json includes the reverse mapping.',
  )
    .addArgument(new Argument('<adapter>').choices(['openai', 'anthropic', 'mcp']))
    .argument('<path>', PATH)
    .action(async (adapter: AdapterName, path: string, options: JsonOption) => {
      const { emitAtlas } = await import('../../../slices/governance/atlases/files/inspect.ts');
      await printFound(emitAtlas(adapter, path), options, ({ tools }) => JSON.stringify(tools, null, 2));
    });
}

function addPackages(atlas: Command, host: Host): void {
  verb(atlas, 'pack', 'Pack an Atlas into one file; the same content gives the same bytes.')
    .argument('<directory>', 'a directory with atlas.json')
    .option('--out <file>', 'output file (default: ID-VERSION.atlas)')
    .action(async (directory: string, options: JsonOption & { out?: string }) => {
      const { packAtlas } = await files.package();
      await printFound(
        (options.out === undefined ? defaultName(directory) : Promise.resolve(options.out)).then((out) =>
          packAtlas(directory, out),
        ),
        options,
        forPeople,
      );
    });
  verb(atlas, 'sign', 'Sign a packed Atlas; the signature is written next to it as FILE.sig.')
    .argument('<file>', 'a file written by `atlas pack`')
    .option('--key <file>', 'a file with an Ed25519 seed in hex (default: your own, created on first use)')
    .action(async (file: string, options: JsonOption & { key?: string }) => {
      const { signAtlas } = await files.package();
      const seed = await signingSeed(options.key, host.settings.dataDir);
      await printFound(signAtlas(file, seed), options, forPeople);
    });
  verb(atlas, 'verify', 'Check that a packed Atlas is complete and its signature is valid.')
    .argument('<file>', 'a file written by `atlas pack`')
    .option('--key <public-key>', 'the public key you trust, in base64; the file must be signed with it')
    .action(async (file: string, options: JsonOption & { key?: string }) => {
      const [{ verifyAtlas }, { verifyText }] = await Promise.all([files.package(), files.text()]);
      const { valid } = await printFound(verifyAtlas(file, options.key), options, verifyText);
      if (!valid) process.exitCode = EXIT.integrity;
    });
}

async function defaultName(directory: string): Promise<string> {
  const { reference } = await (await files.check()).atlasInfo(directory);
  return `${reference.replace('atlas://', '').replace('@', '-')}.atlas`;
}

async function signingSeed(given: string | undefined, dataDir: string): Promise<Uint8Array> {
  const path = given ?? join(dataDir, 'atlas.key');
  if (given === undefined && !existsSync(path)) {
    makePrivateFolder(dataDir);
    await writePrivateFile(path, `${toHex(ed25519.generate().seed)}\n`, 'wx');
  }
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw cliErrors.file_unreadable({ message: `${path} cannot be read.`, cause });
  });
  const seed = fromHex(text.trim());
  if (seed?.length !== 32)
    throw cliErrors.bad_arguments({
      message: `${path} holds no Ed25519 seed.`,
      next: 'Pass a file with 64 hexadecimal digits.',
    });
  return seed;
}

function addLock(atlas: Command): void {
  verb(
    atlas,
    'lock',
    'Lock the versions and contents an Atlas depends on, or check that the lock is up to date.',
  )
    .argument('<directory>', 'a directory with atlas.json')
    .option('--from <paths...>', 'the Atlases to choose dependencies from', [])
    .option('--check', 'write nothing; fail if the lock would change')
    .action(async (directory: string, options: JsonOption & { from: string[]; check?: boolean }) => {
      const { checkLock, lockAtlas } = await files.lock();
      if (options.check) {
        const { driftText } = await files.text();
        const drift = await printFound(checkLock(directory, options.from), options, driftText);
        if (drift.length > 0) process.exitCode = EXIT.integrity;
        return;
      }
      await printFound(lockAtlas(directory, options.from), options, (locked) =>
        locked.length === 0
          ? 'The Atlas has no dependencies.'
          : table(locked.map(({ atlasId, version, digest }) => ({ atlas: atlasId, version, digest }))),
      );
    });
}
