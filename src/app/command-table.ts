import { operations } from '../../packages/client/src/operations.ts';
import { type CommandOperation, commandOperation } from '../faces/cli/command-operation.ts';

/** All operations as the command line knows them. The build puts the value here (`scripts/evaluated.mjs`). */
export const commandTable: readonly CommandOperation[] = Object.values(operations).map(commandOperation);
