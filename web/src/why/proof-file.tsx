import { useMutation } from '@tanstack/react-query';
import { sendForText } from '../api/send-text.ts';
import { checkWhy } from '../api/verify.ts';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Question } from './queries.ts';

/** One file that proves the answer to somebody who trusts nobody; checked here before it is handed out. */
export function ProofFile({ question }: { question: Question }) {
  const making = useMutation({
    mutationFn: async () => {
      const text = await sendForText('why.prove', { id: question.id, kind: question.kind });
      return { text, report: await checkWhy(text) };
    },
  });
  const made = making.data;
  return (
    <Card title="Proof">
      {made ? (
        <p className={`flex gap-2 ${made.report.valid ? 'text-good' : 'text-bad'}`} role="status">
          <Icon name={made.report.valid ? 'check' : 'warning'} className="mt-0.5" />
          <span className="min-w-0">
            <strong>{made.report.valid ? 'It holds.' : 'It does not hold.'}</strong> Recomputed in this
            browser, from the events to the signed checkpoint.
          </span>
        </p>
      ) : (
        <p className="text-soft">
          One file with every step up to the signed checkpoint. It is checked here first, and by{' '}
          <code className="font-mono text-small">baton why --check</code> without a server.
        </p>
      )}
      {making.error && (
        <div className="mt-3">
          <ErrorNote error={making.error} />
        </div>
      )}
      <div className="mt-3 flex flex-col gap-2">
        {made ? (
          <Button tone="primary" icon="download" onClick={() => saveFile('why.json', made.text)}>
            Download why.json, {Math.ceil(made.text.length / 1024)} kB
          </Button>
        ) : (
          <Button tone="primary" icon="verify" busy={making.isPending} onClick={() => making.mutate()}>
            Make the proof
          </Button>
        )}
      </div>
    </Card>
  );
}
