import pc from 'picocolors';

interface Step {
  readonly leaf: number;
  readonly event_hash: string;
  readonly at: string;
  readonly by: string;
  readonly words: string;
}

interface Node {
  readonly kind: string;
  readonly id: string;
  readonly steps: readonly Step[];
  readonly cut: boolean;
}

interface Answer {
  readonly nodes: readonly Node[];
  readonly links: readonly { readonly from: number; readonly to: number; readonly as: string }[];
}

const HASH_SHOWN = 12;

/** How one thing rests on another, read from the first to the second. */
const RELATIONS: Readonly<Record<string, string>> = {
  rule: 'decided by',
  approval: 'approved in',
  atlas: 'under',
  knew: 'knew',
  cites: 'cites',
  source: 'learned from',
  parent: 'follows',
  request: 'asked by',
  resolution: 'allowed by',
  session: 'in',
  subject: 'about',
};

/** The chain as a tree, of texts that are fit for a terminal already: each thing once, what it rests on below it; where it comes again, a mention. */
export function whyTree({ nodes, links }: Answer): string {
  const lines: string[] = [];
  const shown = new Set<number>();

  function show(at: number, relation: string, head: string, tail: string): void {
    const node = nodes[at];
    if (!node) return;
    const again = shown.has(at);
    const name = `${relation}${pc.bold(node.kind === 'reading' ? 'what was handed over' : node.kind)}${node.kind === 'reading' ? '' : ` ${node.id}`}`;
    lines.push(`${head}${name}${again && node.steps.length > 0 ? pc.dim(' (above)') : ''}`);
    if (again) return;
    shown.add(at);
    const below = links.filter(({ from }) => from === at);
    const gutter = `${tail}${below.length > 0 || node.cut ? '│  ' : '   '}`;
    for (const { words, by, at: time, leaf, event_hash } of node.steps) {
      const who = by === '' ? '' : `, ${by}`;
      lines.push(
        `${gutter}${words}${who} ${pc.dim(`${time}  leaf ${leaf} ${event_hash.slice(0, HASH_SHOWN)}`)}`,
      );
    }
    below.forEach(({ to, as }, i) => {
      const last = i === below.length - 1 && !node.cut;
      const word = pc.cyan(`← ${RELATIONS[as] ?? as} `);
      show(to, word, `${tail}${last ? '└─ ' : '├─ '}`, `${tail}${last ? '   ' : '│  '}`);
    });
    if (node.cut) lines.push(`${tail}└─ ${pc.dim('… more: ask for this one')}`);
  }

  show(0, '', '', '');
  return lines.join('\n');
}
