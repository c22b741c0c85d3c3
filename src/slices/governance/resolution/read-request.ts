import type { JsonDocument } from '../../../kernel/json/reader.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { governanceErrors } from '../errors.ts';
import { issuesOf } from '../issues.ts';
import { type CarpRequest, carpRequestSchema } from './schema.ts';

/** A CARP request as the typed view and as it was written. */
export interface ReadCarpRequest {
  readonly request: CarpRequest;
  /** The parameters as they were written, for hashing and passing on. */
  readonly parameters: JsonObject;
}

export function readCarpRequest(
  document: JsonDocument | undefined,
  operations: readonly CarpRequest['operation'][],
): ReadCarpRequest {
  const value = document?.value;
  const parsed = carpRequestSchema.safeParse(document?.plain);
  if (!parsed.success) {
    const issues = issuesOf(parsed.error);
    throw governanceErrors.invalid_carp_request({
      message: `${issues[0]?.message ?? 'Invalid'} at ${issues[0]?.pointer || 'the top'} of the request.`,
      pointer: issues[0]?.pointer ?? '',
      details: { issues: issues.slice(0, 20) },
    });
  }
  if (!operations.includes(parsed.data.operation)) {
    throw governanceErrors.invalid_carp_request({
      message: `This endpoint takes the operation ${operations.join(' or ')}, not ${parsed.data.operation}.`,
      pointer: '/operation',
    });
  }
  const execution = isJsonObject(value) ? value.execution : undefined;
  const parameters = isJsonObject(execution) ? execution.parameters : undefined;
  return { request: parsed.data, parameters: isJsonObject(parameters) ? parameters : {} };
}
