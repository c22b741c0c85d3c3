import { useQuery } from '@tanstack/react-query';
import { useParams } from '../search-params.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { shortId } from '../ui/id-words.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { NodePanel } from './node-panel.tsx';
import { ProofFile } from './proof-file.tsx';
import { type Explanation, whyQuery } from './queries.ts';
import { ReliedOn } from './relied-on.tsx';
import { useNames } from './use-names.ts';
import { WhyGraph } from './why-graph.tsx';
import { WhyTree } from './why-tree.tsx';
import { answerWords, kindName, proofState } from './why-words.ts';

export function WhyPage() {
  const [params, change] = useParams();
  const { id, kind } = params;
  return (
    <>
      <PageHeader
        title="Why"
        lead="From anything back to the rule, the package, the fact, the memory and the person behind it, with a proof of every step."
      />
      <search className="mb-4 block max-w-xl">
        <SearchBox
          key={id ?? ''}
          label="Id of anything"
          hideLabel={id !== undefined}
          placeholder="A package, fact, event, decision, execution, session, turn or span"
          words={id ?? ''}
          onSearch={(words) => change({ id: words || undefined, kind: undefined, node: undefined })}
        />
      </search>
      {id === undefined ? (
        <Card>
          <EmptyState icon="why" title="What do you want to know the reason of?">
            Paste an id, or choose “Why?” on a package, a fact, a decision, an event or a span. Ctrl K finds
            any of them by its words.
          </EmptyState>
        </Card>
      ) : (
        <Answer key={`${kind} ${id}`} id={id} kind={kind} />
      )}
    </>
  );
}

function Answer({ id, kind }: { id: string; kind: string | undefined }) {
  const query = useQuery(whyQuery({ id, kind }));
  return (
    <QueryView query={query} rows={6}>
      {(explanation) => <Explained explanation={explanation} />}
    </QueryView>
  );
}

function Explained({ explanation }: { explanation: Explanation }) {
  const [params, change] = useParams();
  const { nodes } = explanation;
  const names = useNames(explanation);
  const subject = nodes[0] && names.get(nodes[0]);
  const asked = Number(params.node);
  const chosen = Number.isInteger(asked) && nodes[asked] ? asked : 0;
  const node = nodes[chosen];
  const choose = (at: number) => change({ node: at === 0 ? undefined : String(at) }, { replace: true });
  const ask = (at: number) => {
    const next = nodes[at];
    if (next) change({ id: next.id, kind: next.kind === 'reading' ? 'event' : next.kind, node: undefined });
  };
  const provable = nodes.filter((each) => proofState(each) === 'provable').length;
  const pruned = nodes.filter((each) => proofState(each) === 'pruned').length;
  return (
    <section aria-label="Answer" className="flex flex-col gap-4">
      <div>
        <h2 className="font-semibold text-lead">
          {kindName(explanation.kind)} {subject && <span>“{subject}” </span>}
          <code className={`font-mono ${subject ? 'font-normal text-faint text-small' : 'text-body'}`}>
            {shortId(explanation.id)}
          </code>
        </h2>
        <p className="mt-0.5 max-w-[80ch] text-soft">{answerWords(explanation)}</p>
        <p className="mt-2.5 flex flex-wrap items-center gap-2">
          <Badge tone="good" icon="verify">
            {provable} of {nodes.length} can be proved
          </Badge>
          {pruned > 0 && (
            <Badge tone="warn" icon="lock">
              {pruned} by hash only
            </Badge>
          )}
          <span className="ml-auto hidden md:block">
            <Choice
              small
              label="How it is drawn"
              options={[
                ['graph', 'Graph'],
                ['tree', 'Tree'],
              ]}
              chosen={params.as === 'tree' ? 'tree' : 'graph'}
              onChange={(as) => change({ as: as === 'tree' ? 'tree' : undefined }, { replace: true })}
            />
          </span>
        </p>
      </div>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Card flush>
            {params.as !== 'tree' && (
              <div className="hidden md:block">
                <WhyGraph explanation={explanation} names={names} chosen={chosen} onChoose={choose} />
              </div>
            )}
            <div className={params.as === 'tree' ? '' : 'md:hidden'}>
              <WhyTree explanation={explanation} names={names} chosen={chosen} onChoose={choose} />
            </div>
          </Card>
          <ReliedOn
            explanation={explanation}
            onAsk={({ id, kind }) => change({ id, kind, node: undefined })}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {node && (
            <NodePanel
              node={node}
              name={names.get(node)}
              at={chosen}
              of={nodes.length}
              onAsk={() => ask(chosen)}
            />
          )}
          <ProofFile explanation={explanation} names={names} />
        </div>
      </div>
    </section>
  );
}
