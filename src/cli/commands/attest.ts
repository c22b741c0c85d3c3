import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { encodeBase64 } from '../../kernel/base64.ts';
import { fromHex, toHex } from '../../kernel/hex.ts';
import { ed25519, nodeHasher } from '../../platform/index.ts';
import type { Host } from '../host.ts';
import { ask, operationNamed, printBody } from '../operation.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const SPKI = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

export function addAttestCommand(program: Command, host: Host): void {
  program
    .command('attest')
    .description('Sign a package with your own key: a detached statement about its body hash.')
    .argument('<package_id>')
    .addOption(
      new Option('--role <role>', 'as what').choices(['author', 'reviewer', 'importer']).default('author'),
    )
    .option('--project <id>', 'where several projects have a package of this id')
    .option('--json', 'print JSON')
    .action(async (packageId: string, options: { role: string; project?: string; json?: boolean }) => {
      const connection = await host.connect(host.settings);
      try {
        const { actor_id, actor_type } = await ask(connection, host, 'identity.whoami', {});
        const where = { package_id: packageId, ...(options.project && { project: options.project }) };
        const found = await ask(connection, host, 'packages.get', { ...where, envelope: true });
        const statement = JSON.stringify({
          _type: 'https://in-toto.io/Statement/v1',
          subject: [{ name: packageId, digest: { sha256: String(found.body_hash).replace(/^sha256:/, '') } }],
          predicateType: 'urn:baton:package-attestation:1',
          predicate: {
            actor: { id: actor_id, type: actor_type },
            session_id: null,
            content_hash: found.content_hash,
            role: options.role,
          },
        });
        const envelope = sign(await signingSeed(host.settings.dataDir), statement);
        const answer = await connection.call(operationNamed(host, 'attestations.add'), {
          ...where,
          envelope,
        });
        printBody(answer.body, options.json === true);
      } finally {
        await connection.close();
      }
    });
}

/** What is signed begins with the type of the payload: a signature of one kind never passes for another. */
function sign(seed: Uint8Array, statement: string) {
  const payload = Buffer.from(statement, 'utf8');
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `;
  const publicKey = ed25519.publicKeyRaw(seed);
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [
      {
        keyid: nodeHasher.hex(Uint8Array.from([...SPKI, ...publicKey])),
        sig: encodeBase64(ed25519.sign(seed, Buffer.concat([Buffer.from(head, 'utf8'), payload]))),
      },
    ],
    public_key: encodeBase64(publicKey),
  };
}

/** The user's own key, made at the first use and readable by nobody else. */
async function signingSeed(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'attest.key');
  if (!existsSync(path)) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(path, `${toHex(ed25519.generate().seed)}\n`, { mode: 0o600, flag: 'wx' });
  }
  return fromHex((await readFile(path, 'utf8')).trim()) ?? new Uint8Array();
}
