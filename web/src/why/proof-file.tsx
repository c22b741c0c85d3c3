import { useMutation } from '@tanstack/react-query';
import { sendForText } from '../api/send-text.ts';
import { checkWhy } from '../api/verify.ts';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { ProofPrint } from './proof-print.tsx';
import type { Explanation, WhyNode } from './queries.ts';

interface ProofFileProps {
  readonly explanation: Explanation;
  readonly names: ReadonlyMap<WhyNode, string>;
}

/** One file that proves the answer to somebody who trusts nobody; checked here before it is handed out. */
export function ProofFile({ explanation, names }: ProofFileProps) {
  const making = useMutation({
    mutationFn: async () => {
      const { id, kind } = explanation;
      const text = await sendForText('why.prove', { id, kind });
      return { text, report: await checkWhy(text), digest: await sha256(text) };
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
          <>
            <Button tone="primary" icon="download" onClick={() => saveFile('why.json', made.text)}>
              Download why.json, {Math.ceil(made.text.length / 1024)} kB
            </Button>
            <Button icon="journal" onClick={() => print()}>
              Print it
            </Button>
          </>
        ) : (
          <Button tone="primary" icon="verify" busy={making.isPending} onClick={() => making.mutate()}>
            Make the proof
          </Button>
        )}
      </div>
      {made && (
        <ProofPrint explanation={explanation} names={names} report={made.report} digest={made.digest} />
      )}
    </Card>
  );
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
