import type { Words } from '../rules/words.ts';

/** What goes to an address of the web: its body, and what it is sent with. */
export interface WebMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookIds {
  readonly messageId: string;
  /** In seconds. */
  readonly timestamp: number;
  readonly sign: (text: string) => string;
}

/**
 * As Standard Webhooks has it, so that its libraries verify it: the id is the message's, which is never sent twice with
 * another, and the signature is over id, time and body.
 */
export function webhookMessage(
  { subject, lines, link }: Words,
  things: number,
  { messageId, timestamp, sign }: WebhookIds,
): WebMessage {
  const body = JSON.stringify({
    type: 'notification',
    timestamp: new Date(timestamp * 1000).toISOString(),
    data: { subject, lines, link, things },
  });
  return {
    body,
    headers: {
      'webhook-id': messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${sign(`${messageId}.${timestamp}.${body}`)}`,
    },
  };
}

/** Only these have a meaning of their own in a text of Slack's. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function slackMessage({ subject, lines, link }: Words): WebMessage {
  const text = [...[subject, ...lines].map(escaped), `<${link}|Open in Baton>`].join('\n');
  return { body: JSON.stringify({ text, unfurl_links: false }), headers: {} };
}

/** ntfy’s JSON form, which needs no header for what others wrote. */
export function ntfyMessage(
  { subject, lines, link }: Words,
  topic: string,
  token: string | undefined,
): WebMessage {
  return {
    body: JSON.stringify({ topic, title: 'Baton', message: [subject, ...lines].join('\n'), click: link }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
}

export function plainText({ subject, lines, link }: Words): string {
  return `${[subject, ...lines].join('\n')}\n\n${link}\n`;
}
