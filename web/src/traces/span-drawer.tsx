import { seconds } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { WhyLink } from '../ui/why-link.tsx';
import { AgentLabel } from './agent-label.tsx';
import type { Message, Span } from './queries.ts';

interface SpanDrawerProps {
  readonly span: Span | undefined;
  /** What was said in it. */
  readonly said: readonly Message[];
  readonly onClose: () => void;
}

export function SpanDrawer({ span, said, onClose }: SpanDrawerProps) {
  return (
    <Drawer
      open
      onClose={onClose}
      title={span?.name ?? 'Span'}
      description={span ? `${span.service}, ${span.kind}` : 'Details of one step.'}
      actions={span && <WhyLink id={span.span_id} kind="span" />}
    >
      {span ? (
        <SpanDetails span={span} said={said} />
      ) : (
        <EmptyState icon="trace" title="Span not found">
          Retention may have dropped it.
        </EmptyState>
      )}
    </Drawer>
  );
}

function SpanDetails({ span, said }: { span: Span; said: readonly Message[] }) {
  return (
    <div className="flex flex-col gap-6">
      {span.status === 'error' && (
        <p role="alert" className="rounded-control bg-bad-soft px-3 py-2 text-bad">
          <strong>It failed.</strong> {span.status_message}
        </p>
      )}
      {said.map((message) => (
        <section key={`${message.direction} ${message.at}`} aria-label={`${message.from} to ${message.to}`}>
          <h3 className="mb-1 text-small">
            <AgentLabel label={`${message.from} → ${message.to}`} />
          </h3>
          <div className="rounded-control border border-line px-3 py-2">
            <Markdown text={message.text} />
          </div>
        </section>
      ))}
      <FactsList
        facts={[
          ['Took', seconds(span.duration_ms)],
          ['Began', <TimeAgo key="start" at={span.start} />],
          [
            'Outcome',
            <Badge
              key="status"
              tone={span.status === 'ok' ? 'good' : span.status === 'error' ? 'bad' : 'neutral'}
            >
              {span.status}
            </Badge>,
          ],
          ...usageFacts(span.attributes),
          ['Span', <ShortId key="span" value={span.span_id} label="the span’s id" />],
          ...(span.parent_span_id
            ? [
                [
                  'Parent',
                  <ShortId key="parent" value={span.parent_span_id} label="the parent’s id" />,
                ] as const,
              ]
            : []),
          ['Trace', <ShortId key="trace" value={span.trace_id} label="the trace’s id" />],
        ]}
      />
      <section aria-label="Attributes">
        <h3 className="mb-2 font-semibold">Attributes</h3>
        <dl className="divide-y divide-line rounded-control border border-line">
          {Object.entries(span.attributes).map(([name, value]) => (
            <div
              key={name}
              className="grid grid-cols-1 gap-x-4 px-3 py-1.5 sm:grid-cols-[14rem_minmax(0,1fr)]"
            >
              <dt className="break-words font-mono text-faint text-small">{name}</dt>
              <dd className="whitespace-pre-wrap break-words font-mono text-small">
                {typeof value === 'string' ? value : JSON.stringify(value)}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {span.events.length > 0 && (
        <section aria-label="Events of the span">
          <h3 className="mb-2 font-semibold">Events</h3>
          <ol className="flex flex-col gap-3">
            {span.events.map((event) => (
              <li key={`${event.time} ${event.name}`}>
                <p className="mb-1 flex flex-wrap gap-x-3">
                  <span className="font-medium">{event.name}</span>
                  <span className="text-faint text-small">
                    <TimeAgo at={event.time} />
                  </span>
                </p>
                {Object.keys(event.attributes).length > 0 && (
                  <JsonView value={event.attributes} label={`Attributes of ${event.name}`} />
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

const USAGE = [
  ['Model', ['gen_ai.response.model', 'gen_ai.request.model']],
  ['Tool', ['gen_ai.tool.name']],
  ['Tokens in', ['gen_ai.usage.input_tokens']],
  ['Tokens out', ['gen_ai.usage.output_tokens']],
] as const;

/** What a model call is asked for first, before all its attributes. */
function usageFacts(attributes: Span['attributes']): (readonly [name: string, value: string])[] {
  return USAGE.flatMap(([name, keys]) => {
    const value = keys.map((key) => attributes[key]).find((each) => each !== undefined);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
}
