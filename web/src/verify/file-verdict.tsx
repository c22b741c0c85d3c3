import type {
  CheckpointReport,
  ConsistencyReport,
  DigestReport,
  ManifestReport,
  WhyProofReport,
} from '../api/verify.ts';
import { count, counted } from '../numbers.ts';
import { shorten } from '../ui/id-words.ts';
import { ChainVerdict } from './chain-verdict.tsx';
import type { FileVerdict } from './check-file.ts';
import { ProofVerdict } from './proof-verdict.tsx';
import { VerdictBox } from './verdict-box.tsx';

/** What a file shows, or where it fails; and for a file that is none of ours, that it is not known. */
export function FileVerdictView({ verdict }: { verdict: FileVerdict }) {
  switch (verdict.kind) {
    case 'proof':
      return <ProofVerdict report={verdict.report} />;
    case 'why':
      return <WhyVerdict report={verdict.report} />;
    case 'chain':
      return <ChainVerdict report={verdict.report} />;
    case 'checkpoint':
      return <CheckpointVerdict report={verdict.report} />;
    case 'consistency':
      return <ConsistencyVerdict report={verdict.report} />;
    case 'run-export':
      return <RunExportVerdict report={verdict.report} />;
    case 'manifest':
      return <ManifestVerdict report={verdict.report} />;
    case 'export-lines':
      return <ExportedVerdict report={verdict.report} />;
    default:
      return (
        <VerdictBox verdict="unsure">
          <strong>Not a format I know.</strong> Nothing was checked, so this says nothing about the file.
        </VerdictBox>
      );
  }
}

/** Lines of an export, by what the manifest that came with them says. */
function ExportedVerdict({ report }: { report: DigestReport | undefined }) {
  if (report === undefined) {
    return (
      <VerdictBox verdict="unsure">
        <strong>Part of an exported project.</strong> It holds no digest of its own. Drop it together with its
        manifest.json.
      </VerdictBox>
    );
  }
  return report.valid ? (
    <VerdictBox verdict="good">
      Part of an exported project, with the digest that its manifest claims.
    </VerdictBox>
  ) : (
    <Faults title="The export does not hold." faults={report.faults} />
  );
}

function WhyVerdict({ report }: { report: WhyProofReport }) {
  if (!report.valid) {
    return (
      <VerdictBox verdict="bad">
        <strong>The explanation does not hold.</strong> {report.error?.message}{' '}
        <code className="break-all font-mono text-small">{report.error?.step}</code>
      </VerdictBox>
    );
  }
  const { state } = report;
  return (
    <VerdictBox verdict="good">
      <strong>The explanation holds.</strong> {counted(report.steps, 'step')}, each proved in a tree of{' '}
      {count(report.tree_size ?? 0)} that{' '}
      <span className="break-all font-mono text-small">{report.origin}</span> signed
      {report.trusted ? ' with the key that you trust.' : ' with the key in the file.'}
      <p className="mt-1">
        {state === null
          ? 'A file of an earlier version: it proves events, and no rows of the store.'
          : `${counted(state.rows, 'row')} of the store ${state.rows === 1 ? 'is as it was' : 'are as they were'} recorded${rowNotes(state)}.`}
      </p>
    </VerdictBox>
  );
}

/** What a reader must know of the rows besides that they hold. */
function rowNotes({ withheld, gone, unattested }: NonNullable<WhyProofReport['state']>): string {
  const notes = [
    ...(withheld > 0 ? [`${count(withheld)} by digest only`] : []),
    ...(gone > 0 ? [`${count(gone)} gone, as recorded`] : []),
    ...(unattested > 0 ? [`${count(unattested)} older than the records`] : []),
  ];
  return notes.length === 0 ? '' : `: ${notes.join(', ')}`;
}

function CheckpointVerdict({ report }: { report: CheckpointReport }) {
  const { valid, origin, size, root, trusted, error } = report;
  if (valid === false) {
    return (
      <VerdictBox verdict="bad">
        <strong>The checkpoint does not hold.</strong> {error}
      </VerdictBox>
    );
  }
  const head = (
    <>
      {counted(size ?? 0, 'event')}, root <code className="font-mono text-small">{shorten(root ?? '')}</code>,
      of <span className="break-all font-mono text-small">{origin}</span>.
    </>
  );
  return valid === undefined ? (
    <VerdictBox verdict="unsure">
      <strong>A checkpoint whose signature was not checked.</strong> {head} The file holds no key: paste the
      one that you trust and drop it again.
    </VerdictBox>
  ) : (
    <VerdictBox verdict="good">
      <strong>The signature holds.</strong> {head}{' '}
      {trusted ? 'It was made with the key that you trust.' : 'It was made with the key in the file.'}
    </VerdictBox>
  );
}

function ConsistencyVerdict({ report }: { report: ConsistencyReport }) {
  const { valid, first_size, second_size, origin, trusted, error } = report;
  if (!valid) {
    return (
      <VerdictBox verdict="bad">
        <strong>The later journal does not continue the earlier one.</strong> {error?.message}
      </VerdictBox>
    );
  }
  return (
    <VerdictBox verdict="good">
      <strong>The journal only grew.</strong> Its first {counted(first_size ?? 0, 'event')} are the same in
      the tree of {count(second_size ?? 0)} that{' '}
      <span className="break-all font-mono text-small">{origin}</span> signed
      {trusted ? ' with the key that you trust.' : ' with the key in the file.'}
    </VerdictBox>
  );
}

function RunExportVerdict({ report }: { report: DigestReport }) {
  return report.valid ? (
    <VerdictBox verdict="good">
      <strong>The export of a run holds.</strong> {counted(report.files, 'file')}
      {report.about && (
        <>
          {' '}
          of <code className="font-mono text-small">{report.about}</code>
        </>
      )}
      , each with the digest that it claims. Nothing signs them: whoever changes a file can change its digest.
    </VerdictBox>
  ) : (
    <Faults title="The export of a run does not hold." faults={report.faults} />
  );
}

function ManifestVerdict({ report }: { report: ManifestReport }) {
  if (!report.valid) return <Faults title="The export does not hold." faults={report.faults} />;
  const { files, missing, about } = report;
  return (
    <VerdictBox verdict={missing.length > 0 ? 'unsure' : 'good'}>
      <strong>{missing.length > 0 ? 'An export, not all of which is here.' : 'The export holds.'}</strong>{' '}
      {counted(files, 'file')} of the project <code className="font-mono text-small">{about}</code> checked
      against the manifest.
      {missing.length > 0 && ` Drop these with it: ${missing.join(', ')}.`}
    </VerdictBox>
  );
}

const SHOWN = 5;

function Faults({ title, faults }: { title: string; faults: readonly string[] }) {
  const rest = faults.length - SHOWN;
  return (
    <VerdictBox verdict="bad">
      <strong>{title}</strong>
      <ul className="mt-1 list-disc pl-5">
        {faults.slice(0, SHOWN).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      {rest > 0 && <p className="mt-1">And {counted(rest, 'further fault')}.</p>}
    </VerdictBox>
  );
}
