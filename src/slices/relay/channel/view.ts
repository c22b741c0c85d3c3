import type { ChannelView } from '../schema.ts';
import type { ViewFormat } from './rules.ts';

const TYPES: Readonly<Record<ViewFormat, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  markdown: 'text/markdown; charset=utf-8',
};

export function renderView(
  view: ChannelView,
  format: ViewFormat,
): { readonly type: string; readonly text: string } {
  const text =
    format === 'json'
      ? JSON.stringify(view)
      : format === 'yaml'
        ? yaml(view, '').trimStart()
        : markdown(view);
  return { type: TYPES[format], text };
}

function yaml(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []\n';
    return `\n${value.map((item) => `${indent}-${yaml(item, `${indent}  `).replace(/^\n\s*/, ' ')}`).join('')}`;
  }
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\n`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return ' {}\n';
  return `\n${members.map(([key, member]) => `${indent}${/^\w+$/.test(key) ? key : JSON.stringify(key)}:${yaml(member, `${indent}  `)}`).join('')}`;
}

function markdown(view: ChannelView): string {
  const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  return [
    `# ${view.channel.id}: ${view.channel.title}`,
    '',
    view.onboarding,
    '',
    '## How to take part',
    '',
    ...view.participate.map((line) => `- ${line}`),
    '',
    '## Spec',
    '',
    view.spec ? json(view.spec.payload) : 'None yet.',
    '',
    '## State',
    '',
    view.state ? json(view.state.payload) : 'None yet.',
    '',
    '## Recent events',
    '',
    ...view.recent_events.map(
      (event) =>
        `- ${event.seq} ${event.created_at} **${event.kind}** by ${event.author}: \`${JSON.stringify(event.payload)}\``,
    ),
    '',
  ].join('\n');
}
