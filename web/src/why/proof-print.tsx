import { createPortal } from 'react-dom';
import type { WhyProofReport } from '../api/verify.ts';
import { count } from '../numbers.ts';
import type { Explanation, WhyNode } from './queries.ts';
import { answerWords, kindName, nodeTitle } from './why-words.ts';

interface ProofPrintProps {
  readonly explanation: Explanation;
  readonly names: ReadonlyMap<WhyNode, string>;
  readonly report: WhyProofReport;
  /** SHA-256 of the file that this sheet belongs to. */
  readonly digest: string;
}

/** The answer as a sheet of paper, beside the page and seen only in print. It names the file that proves it by its hash. */
export function ProofPrint({ explanation, names, report, digest }: ProofPrintProps) {
  const { id, kind, nodes, links, project_id: project } = explanation;
  const as = (at: number) => links.find(({ to }) => to === at)?.as;
  return createPortal(
    <article className="print-sheet hidden text-[10pt] text-black leading-snug print:block">
      <h2 className="font-semibold text-[15pt]">Why: {kindName(kind)}</h2>
      <p className="mt-1 break-all font-mono">{id}</p>
      <p className="mt-2">{answerWords(explanation)}</p>
      <dl className="mt-3 grid grid-cols-[9rem_minmax(0,1fr)] gap-y-0.5">
        <dt>Project</dt>
        <dd>{project}</dd>
        <dt>Checked</dt>
        <dd>
          {report.valid
            ? `in a browser, ${new Date().toISOString()}: every step holds`
            : `does not hold: ${report.error?.message ?? ''}`}
        </dd>
        <dt>Signed by</dt>
        <dd>{report.origin ?? 'nobody'}</dd>
        <dt>Events in its tree</dt>
        <dd>{report.tree_size === null ? 'unknown' : count(report.tree_size)}</dd>
        <dt>File</dt>
        <dd className="break-all">
          why.json, SHA-256 <code className="font-mono">{digest}</code>
        </dd>
        <dt>Check it again</dt>
        <dd>
          <code className="font-mono">baton why --check why.json</code>, without a server
        </dd>
      </dl>
      {nodes.map((node, at) => (
        <section
          key={`${node.kind} ${node.id}`}
          className="mt-4 break-inside-avoid border-black border-t pt-1.5"
        >
          <h3 className="font-semibold">
            {at + 1}. {names.get(node) ?? nodeTitle(node)}
          </h3>
          <p className="break-all">
            {as(at) !== undefined && as(at) !== node.kind && `${as(at)} `}
            {kindName(node.kind).toLowerCase()} <code className="font-mono">{node.id}</code>
          </p>
          <table className="mt-1 w-full text-left">
            <tbody>
              {node.steps.map((step) => (
                <tr key={step.leaf} className="align-top">
                  <td className="w-20 tabular">leaf {step.leaf}</td>
                  <td className="w-60 whitespace-nowrap tabular">{step.at}</td>
                  <td>
                    {step.words}
                    {step.by && `, by ${step.by}`}
                    {step.pruned && ' (by its hash only)'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </article>,
    document.body,
  );
}
