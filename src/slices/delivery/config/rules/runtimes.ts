import { type Doc, isDoc, isText } from '../../document.ts';
import { type ConfigFault, invalid } from './fault.ts';

const RUNTIME_TYPES: readonly string[] = [
  'manual',
  'local_cli',
  'api_proxy',
  'mcp',
  'remote_agent',
  // Ours, beyond the protocol: a peer reached through the relay.
  'a2a',
];

export function runtimeFaults(config: Doc): ConfigFault[] {
  if (!isDoc(config.runtimes)) {
    return [
      invalid('runtimes', 'runtimes is missing.', 'Declare at least { "manual": { "type": "manual" } }.'),
    ];
  }
  return Object.entries(config.runtimes).flatMap(([id, raw]) => {
    const type = isDoc(raw) ? raw.type : undefined;
    if (isText(type) && RUNTIME_TYPES.includes(type)) return [];
    return [
      invalid(
        `runtimes.${id}.type`,
        `Runtime "${id}" has no known type.`,
        `Use one of: ${RUNTIME_TYPES.join(', ')}.`,
      ),
    ];
  });
}
