export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events off a response body, in any chunking. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let buffer = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      let end = buffer.indexOf('\n\n');
      while (end >= 0) {
        const event = parseFrame(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        if (event) yield event;
        end = buffer.indexOf('\n\n');
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseFrame(frame: string): ServerEvent | undefined {
  let id = '';
  let event = 'message';
  const data: string[] = [];
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('id:')) id = value;
    else if (line.startsWith('event:')) event = value;
    else if (line.startsWith('data:')) data.push(value);
  }
  return data.length > 0 ? { id, event, data: data.join('\n') } : undefined;
}
