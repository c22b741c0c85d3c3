import { useMutation } from '@tanstack/react-query';
import { sendForText } from '../api/send-text.ts';
import { checkProof } from '../api/verify.ts';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { ProofVerdict } from '../verify/proof-verdict.tsx';

/** Fetches the proof of one event, checks it here, and hands it out as a file. */
export function EventProof({ eventId }: { eventId: string }) {
  const proof = useMutation({
    mutationFn: async () => {
      const text = await sendForText('journal.prove', { event_id: eventId });
      return { text, report: await checkProof(text) };
    },
  });
  return (
    <section className="rounded-control border border-line p-4">
      <h3 className="font-semibold">Prove it to someone else</h3>
      <p className="mt-1 text-soft">
        A small file shows that this event stands in the signed journal. Whoever gets it can check it offline,
        without access to this server.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon="verify" busy={proof.isPending} onClick={() => proof.mutate()}>
          {proof.data ? 'Prove again' : 'Prove'}
        </Button>
        {proof.data && (
          <Button
            tone="primary"
            icon="download"
            onClick={() => saveFile(`baton-proof-${eventId}.json`, proof.data.text)}
          >
            Download the proof
          </Button>
        )}
      </div>
      <div aria-live="polite" className="mt-3 empty:hidden">
        {proof.error && <ErrorNote error={proof.error} />}
        {proof.data && <ProofVerdict report={proof.data.report} />}
      </div>
    </section>
  );
}
