import { type Check, demand, demandEqual } from '../check.ts';
import { demandError, said } from '../trial.ts';

const fact = (subject: string, value: string, more: Record<string, unknown> = {}) => ({
  subject,
  predicate: 'status',
  value,
  ...more,
});

interface WireFact {
  readonly value: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
}

export const factChecks: readonly Check[] = [
  {
    id: 'A49',
    level: 'L2',
    weight: 'MUST',
    section: '8.3',
    title: 'Orientation shows only facts that are true now',
    async run(trial) {
      const project = trial.projectNamed('active');
      await trial.deposited({ project_id: project });
      await trial.asserted(fact('a', 'old'), project);
      await trial.asserted(fact('a', 'new'), project);
      const { json } = await trial.target.get(`${trial.projectPath(project)}/orient`);
      demandEqual(
        json?.active_facts?.map((one: WireFact) => [one.value, one.valid_to]),
        [['new', null]],
        'active_facts',
      );
    },
  },
  {
    id: 'A57',
    level: 'L2',
    weight: 'MUST',
    section: '7.1',
    title: 'A fact has its seven fields, and its value is text',
    async run(trial) {
      await trial.deposited();
      const made = await trial.asserted(fact('fields', '97.0', { 'x-note': { a: [1] } }));
      for (const name of [
        'fact_id',
        'project_id',
        'subject',
        'predicate',
        'value',
        'valid_from',
        'created_at',
      ]) {
        demand(typeof made?.[name] === 'string', `${name} is no text`);
      }
      demandEqual(made.value, '97.0', 'value');
      const [read] = await trial.facts('subject=fields&predicate=status');
      demandEqual(read?.['x-note'], { a: [1] }, 'an x-* field of a fact');
    },
  },
  {
    id: 'A58',
    level: 'L2',
    weight: 'MUST',
    section: '7.1',
    title: 'A number is no value',
    async run(trial) {
      const reply = await trial.assert({ subject: 'number', predicate: 'is', value: 97 });
      if (reply.status < 300) demandEqual(typeof reply.json?.value, 'string', 'the type of the value');
      else demandError(reply, 400, 'invalid_schema');
    },
  },
  {
    id: 'A59',
    level: 'L2',
    weight: 'SHOULD',
    section: '7.1',
    title: 'Generated fact ids have the recommended form',
    async run(trial) {
      const made = await trial.asserted(fact('ids', 'x'));
      demand(/^fact_[0-9a-f]{32}$/.test(made?.fact_id), `the id is ${made?.fact_id}`);
    },
  },
  {
    id: 'A60',
    level: 'L2',
    weight: 'MUST',
    section: '7.2',
    title: 'Confidence lies between 0 and 1',
    async run(trial) {
      demandError(await trial.assert(fact('conf', 'x', { confidence: 1.5 })), 400, 'invalid_schema');
      const made = await trial.asserted(fact('conf', 'x', { confidence: 0.5, tags: ['t'] }));
      demandEqual([made.confidence, made.tags], [0.5, ['t']], 'confidence and tags');
    },
  },
  {
    id: 'A61',
    level: 'L2',
    weight: 'MUST',
    section: '7.2',
    title: 'asserted_by is who made the source package',
    async run(trial) {
      const source = await trial.deposited();
      const made = await trial.asserted(fact('by', 'x', { source_package_id: source.package_id }));
      demandEqual(
        [made.asserted_by?.id, made.asserted_by?.type],
        [source.created_by.id, source.created_by.type],
        'asserted_by',
      );
    },
  },
  {
    id: 'A62',
    level: 'L2',
    weight: 'MUST',
    section: '7.3',
    title: 'A new fact ends the old one where it begins',
    async run(trial) {
      await trial.asserted(fact('supersede', 'one'));
      const second = await trial.asserted(fact('supersede', 'two'));
      const history = await trial.facts('subject=supersede&predicate=status&history=1');
      demandEqual(history.length, 2, 'facts in the history');
      const first = history.find((one: WireFact) => one.value === 'one');
      demandEqual(first?.valid_to, second.valid_from, 'the end of the first');
    },
  },
  {
    id: 'A63',
    level: 'L2',
    weight: 'MUST',
    section: '7.3',
    title: 'Many writers at once leave one current fact and an unbroken chain',
    async run(trial) {
      const writers = 32;
      const replies = await Promise.all(
        Array.from({ length: writers }, (_, i) => trial.assert(fact('crowd', `writer ${i}`))),
      );
      const taken = replies.filter((reply) => reply.status < 300).length;
      demand(taken > 0, `every writer was refused: ${said(replies[0]!)}`);
      const history: WireFact[] = await trial.facts('subject=crowd&predicate=status&history=1&limit=200');
      demandEqual(history.length, taken, 'facts in the history, one for each writer that was answered');
      const current = history.filter((one) => one.valid_to === null);
      demandEqual(current.length, 1, 'current facts');
      const starts = history.map((one) => Date.parse(one.valid_from)).sort((a, b) => a - b);
      const ends = history
        .flatMap((one) => (one.valid_to === null ? [] : [Date.parse(one.valid_to)]))
        .sort((a, b) => a - b);
      demandEqual(ends, starts.slice(1), 'each end is the next beginning');
    },
  },
  {
    id: 'A65',
    level: 'L2',
    weight: 'MUST',
    section: '7.3',
    title: 'The current fact is the one without an end',
    async run(trial) {
      await trial.asserted(fact('current', 'one'));
      await trial.asserted(fact('current', 'two'));
      const current: WireFact[] = await trial.facts('subject=current&predicate=status');
      demandEqual(
        current.map((one) => [one.value, one.valid_to]),
        [['two', null]],
        'current facts',
      );
    },
  },
  {
    id: 'A66',
    level: 'L2',
    weight: 'MUST',
    section: '7.3',
    title: 'As of an instant: begun at or before it, ended after it',
    async run(trial) {
      await trial.asserted(fact('asof', 'one', { valid_from: '2026-04-01T00:00:00Z' }));
      await trial.asserted(fact('asof', 'two', { valid_from: '2026-04-10T00:00:00Z' }));
      const at = async (moment: string) =>
        (await trial.facts(`subject=asof&predicate=status&as_of=${moment}`)).map(
          (one: WireFact) => one.value,
        );
      demandEqual(await at('2026-03-31T23:59:59.999Z'), [], 'before the beginning');
      demandEqual(await at('2026-04-01T00:00:00Z'), ['one'], 'at the beginning');
      demandEqual(await at('2026-04-09T23:59:59.999Z'), ['one'], 'just before the end');
      demandEqual(await at('2026-04-10T00:00:00Z'), ['two'], 'at the end');
    },
  },
  {
    id: 'A67',
    level: 'L2',
    weight: 'MUST',
    section: '7.4',
    title: 'An invalidated fact has no successor and keeps its history',
    async run(trial) {
      await trial.asserted(fact('ended', 'one'));
      const path = `${trial.projectPath(trial.project)}/facts?subject=ended&predicate=status`;
      const reply = await trial.target.send('DELETE', path);
      demand(reply.status < 300, `refused: ${said(reply)}`);
      demandEqual(await trial.facts('subject=ended&predicate=status'), [], 'current facts');
      const history: WireFact[] = await trial.facts('subject=ended&predicate=status&history=1');
      demand(history.length === 1 && history[0]?.valid_to !== null, 'the history is gone or has no end');
    },
  },
  {
    id: 'A68',
    level: 'L2',
    weight: 'MUST',
    section: '8.7',
    title: 'Invalidation counts, and looks at the value where one is given',
    async run(trial) {
      await trial.asserted(fact('count', 'one'));
      const end = async (query: string) => {
        const path = `${trial.projectPath(trial.project)}/facts?subject=count&predicate=status${query}`;
        const { json } = await trial.target.send('DELETE', path);
        return json?.invalidated ?? json?.count ?? json;
      };
      demandEqual(await end('&object=other'), 0, 'the count with another value');
      demandEqual(await end('&object=one'), 1, 'the count with its value');
      demandEqual(await end(''), 0, 'the count once ended');
    },
  },
  {
    id: 'A69',
    level: 'L2',
    weight: 'MUST',
    section: '5.2',
    title: 'Facts of two projects do not meet',
    async run(trial) {
      const [one, two] = [trial.projectNamed('ns1'), trial.projectNamed('ns2')];
      for (const project_id of [one, two]) await trial.deposited({ project_id });
      await trial.asserted(fact('same', 'first'), one);
      await trial.asserted(fact('same', 'second'), two);
      const values = (await trial.facts('subject=same', one)).map((fact: WireFact) => fact.value);
      demandEqual(values, ['first'], 'the fact of the first project');
    },
  },
  {
    id: 'A74',
    level: 'L2',
    weight: 'MUST',
    section: '10.1',
    title: 'The intervals of a history follow each other',
    async run(trial) {
      for (const value of ['a', 'b', 'c']) await trial.asserted(fact('order', value));
      const history: WireFact[] = await trial.facts('subject=order&predicate=status&history=1');
      const sorted = [...history].sort((x, y) => Date.parse(x.valid_from) - Date.parse(y.valid_from));
      for (const one of sorted) {
        demand(
          one.valid_to === null || Date.parse(one.valid_to) >= Date.parse(one.valid_from),
          'an interval ends before it begins',
        );
      }
      demandEqual(sorted.length, 3, 'facts in the history');
    },
  },
];
