import type { InitOptions } from '../../../slices/delivery/commands.ts';

/** The three questions of `run init`; empty answers leave the defaults. */
export async function askAboutProject(): Promise<Pick<InitOptions, 'goal' | 'template' | 'agent'>> {
  const { isCancel, select, text } = await import('@clack/prompts');
  const { presets, TEMPLATES } = await import('../../../slices/delivery/commands.ts');
  const goal = await text({ message: 'What should be delivered?', placeholder: 'Count words in a file' });
  if (isCancel(goal)) return {};
  const template = await select({
    message: 'How?',
    options: Object.entries(TEMPLATES).map(([value, { about }]) => ({ value, label: `${value}: ${about}` })),
  });
  if (isCancel(template)) return {};
  const agent = await select({
    message: 'Who takes the turns?',
    options: [
      { value: '', label: 'people, by hand' },
      ...presets.map(({ id, title }) => ({ value: id, label: title })),
    ],
  });
  if (isCancel(agent)) return {};
  return { ...(goal && { goal: goal.slice(0, 500) }), template, ...(agent !== '' && { agent }) };
}
