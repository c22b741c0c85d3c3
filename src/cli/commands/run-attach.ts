import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { operationNamed, printBody } from '../operation.ts';
import { dirVerb, type RunOptions } from './run-verb.ts';

export function addAttachVerb(run: Command, host: Host): void {
  dirVerb(run, 'attach', 'Let the server follow this repository: gates in the inbox, turns as packages.')
    .requiredOption('--project <id>', 'the project that it belongs to')
    .action(async (options: RunOptions & { project: string }) => {
      const connection = await host.connect(host.settings);
      try {
        const flat = { project_id: options.project, path: resolve(options.dir) };
        const { body } = await connection.call(operationNamed(host, 'delivery.attach'), flat);
        printBody(body, options.json === true);
      } finally {
        await connection.close();
      }
    });
}
