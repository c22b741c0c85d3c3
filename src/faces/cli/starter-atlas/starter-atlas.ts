/**
 * The rules that a repository begins with. They are the repository's own from then on: `baton init` writes them once,
 * and people change them as they change code.
 */
import { AGENT_ACTIONS } from '../../../slices/agents/clients/actions.ts';
import allow from './allow.json' with { type: 'json' };
import ask from './ask.json' with { type: 'json' };
import deny from './deny.json' with { type: 'json' };
import cases from './rules.cases.json' with { type: 'json' };

/** The files of the Atlas of a project, by their paths in its folder. */
export function starterAtlas(project: string): ReadonlyMap<string, string> {
  const files: Readonly<Record<string, unknown>> = {
    'atlas.json': {
      atlas_version: '1.0',
      atlas_id: `repo.${wordOf(project)}`,
      version: '1.0.0',
      name: `Rules of ${project}`.slice(0, 100),
      description: 'What coding agents may do in this repository. `baton guard on` enforces it.',
      domains: ['coding'],
      capabilities: [
        { capability_id: 'look', name: 'Read and search', actions: ['file.read', 'web.fetch', 'web.search'] },
        { capability_id: 'change', name: 'Change files', actions: ['file.write', 'file.delete'] },
        {
          capability_id: 'run',
          name: 'Run commands and tools',
          actions: ['shell.run', 'mcp.call', 'agent.start', 'tool.use'],
        },
      ],
    },
    'actions/agent.json': AGENT_ACTIONS,
    'policies/1-deny.json': deny,
    'policies/2-ask.json': ask,
    'policies/3-allow.json': allow,
    'adapters/mcp.json': {
      descriptions: Object.fromEntries(AGENT_ACTIONS.map(({ action_id, name }) => [action_id, name])),
    },
    'tests/rules.cases.json': cases,
  };
  return new Map(Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]));
}

/** As a word of an Atlas id: letters, digits and hyphens, beginning with a letter. */
function wordOf(project: string): string {
  const word = project
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(word) ? word : `p-${word}`.replace(/-$/, '');
}
