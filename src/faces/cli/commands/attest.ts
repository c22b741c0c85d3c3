import { type Command, Option } from 'commander';
import { attestation } from '../attestation.ts';
import type { Host } from '../host.ts';
import { ask, operationNamed, printBody, withConnection } from '../operation.ts';

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
      await withConnection(host, async (connection) => {
        const { actor_id, actor_type } = await ask(connection, host, 'identity.whoami', {});
        const where = { package_id: packageId, ...(options.project && { project: options.project }) };
        const found = await ask(connection, host, 'packages.get', { ...where, envelope: true });
        const envelope = await attestation(host.settings.dataDir, {
          packageId,
          bodyHash: found.body_hash,
          contentHash: found.content_hash,
          actor: { id: actor_id, type: actor_type },
          role: options.role,
        });
        const answer = await connection.call(operationNamed(host, 'attestations.add'), {
          ...where,
          envelope,
        });
        printBody(answer.body, options.json === true);
      });
    });
}
