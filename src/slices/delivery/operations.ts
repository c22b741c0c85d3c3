/** Everything that the delivery slice can be asked. */
import { conformanceOperations } from './conformance/operations.ts';
import { mirrorOperations } from './mirror/operations.ts';

export const deliveryOperations = { ...mirrorOperations, ...conformanceOperations };
