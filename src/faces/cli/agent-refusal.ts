import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import type { Host } from './host.ts';

/** What a command says that only a person may give, where an agent runs it. */
export function agentRefusal({ settings }: Host, next?: string) {
  return dispatchErrors.agent_session({
    message: `This is a person’s decision, and the command runs in an agent’s session (${settings.agentSession} is set).`,
    next:
      next ??
      'Decide in the dashboard (`baton open`) or in a terminal of your own; inside the session, a terminal and your passphrase are needed. An agent decides with a key of its own (BATON_TOKEN).',
  });
}
