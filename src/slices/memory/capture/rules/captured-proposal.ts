import { classify } from '../../memories/classify.ts';
import type { NewProposal } from '../../proposals/shape.ts';
import { categoryOf } from './category.ts';
import type { Statement } from './find-statements.ts';

const CONFIDENCE: Readonly<Record<Statement['kind'], number>> = {
  asked: 0.9,
  rule: 0.8,
  preference: 0.8,
  correction: 0.75,
  'about-person': 0.75,
  'about-work': 0.7,
  decision: 0.7,
  habit: 0.7,
};

/** What a model or signs alone picked out: the words are the person's, but that they matter is an opinion. */
const UNSURE = 0.6;

/** The statement as it is put before its person: their own words, where they said them, and whether a model found it. */
export function toProposal(
  { text, kind, sure, start, end }: Statement,
  turn: { readonly id: string; readonly text: string; readonly at: string },
  { session, clientName }: { readonly session: string; readonly clientName?: string | undefined },
  model?: string,
): NewProposal {
  const where = `in a conversation${clientName === undefined ? '' : ` with ${clientName}`}`;
  return {
    kind: 'memory',
    content: text,
    category: categoryOf(text, kind),
    type: typeOf(text, kind),
    typeGiven: false,
    confidence: sure ? CONFIDENCE[kind] : UNSURE,
    context: model === undefined ? `Said ${where}` : `Said ${where}; picked out by the model ${model}`,
    evidence: [
      {
        type: 'user_statement',
        quote: turn.text.slice(start, end),
        timestamp: turn.at,
        span: { turn: `${session} ${turn.id}`.slice(0, 600), start, end },
      },
    ],
    sensitivity: undefined,
    scope: [],
    tags: [],
    priority: 'normal',
    agentName: clientName,
    sessionId: session.slice(0, 200),
    targetMemoryId: undefined,
    supersedes: undefined,
    expiresAt: undefined,
  };
}

function typeOf(text: string, kind: Statement['kind']): NewProposal['type'] {
  if (kind === 'rule' || kind === 'habit') return 'procedural';
  const { type, question } = classify({ content: text });
  return question === 0 ? 'semantic' : type;
}
