import type { LiveState } from '../live/journal-stream.ts';
import { useLiveJournal } from '../live/use-live-journal.ts';

const looks: Readonly<Record<LiveState, { words: string; dot: string; title: string }>> = {
  connecting: { words: 'Connecting', dot: 'bg-warn pulse-dot', title: 'Opening the live connection.' },
  live: { words: 'Live', dot: 'bg-good', title: 'New events appear as they are written.' },
  lost: {
    words: 'Reconnecting',
    dot: 'bg-warn pulse-dot',
    title: 'The server does not answer. Nothing is lost: the page catches up when it is back.',
  },
  ended: { words: 'Not live', dot: 'bg-bad', title: 'This credential may not follow the journal.' },
};

/** Whether what is shown is what is. */
export function ConnectionStatus() {
  const { words, dot, title } = looks[useLiveJournal().state];
  return (
    <span
      role="status"
      title={title}
      className="inline-flex items-center gap-2 whitespace-nowrap text-small text-soft"
    >
      <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
      {words}
    </span>
  );
}
