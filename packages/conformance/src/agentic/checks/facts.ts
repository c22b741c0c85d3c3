import { assert, assertEqual } from '../../assertions.ts';
import { type Check, L2 } from '../check.ts';
import { assertAccepted, assertError, projectPath, shown, type Trial } from '../trial.ts';

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

const about = (subject: string, more = '') => `subject=${subject}&predicate=status${more}`;
const history = (trial: Trial, subject: string, more = ''): Promise<WireFact[]> =>
  trial.facts(about(subject, `&history=1${more}`));
const endFacts = (trial: Trial, subject: string, more = '') =>
  trial.target.send('DELETE', `${projectPath(trial.project)}/facts?${about(subject, more)}`);
const valuesOf = (facts: readonly WireFact[]) => facts.map(({ value }) => value);
const valuesAndEnds = (facts: readonly WireFact[]) => facts.map((one) => [one.value, one.valid_to]);

export const factChecks: readonly Check[] = [
  L2.must('A49', '8.3', 'Orientation shows only facts that are true now', async (trial) => {
    const project = trial.projectNamed('active');
    await trial.deposited({ project_id: project });
    await trial.asserted(fact('a', 'old'), project);
    await trial.asserted(fact('a', 'new'), project);
    const { json } = await trial.getIn(project, '/orient');
    assertEqual(valuesAndEnds(json?.active_facts ?? []), [['new', null]], 'active_facts');
  }),
  L2.must('A57', '7.1', 'A fact has its seven fields, and its value is text', async (trial) => {
    await trial.deposited();
    const made = await trial.asserted(fact('fields', '97.0', { 'x-note': { a: [1] } }));
    const ids = ['fact_id', 'project_id', 'subject', 'predicate'];
    for (const name of [...ids, 'value', 'valid_from', 'created_at'])
      assert(typeof made?.[name] === 'string', `${name} is not text`);
    assertEqual(made.value, '97.0', 'value');
    const [read] = await trial.facts(about('fields'));
    assertEqual(read?.['x-note'], { a: [1] }, 'an x-* field of a fact');
  }),
  L2.must('A58', '7.1', 'A value is not a number', async (trial) => {
    const reply = await trial.assert({ subject: 'number', predicate: 'is', value: 97 });
    if (reply.status < 300) assertEqual(typeof reply.json?.value, 'string', 'the type of the value');
    else assertError(reply, 400, 'invalid_schema');
  }),
  L2.should('A59', '7.1', 'Generated fact ids have the recommended form', async (trial) => {
    const made = await trial.asserted(fact('ids', 'x'));
    assert(/^fact_[0-9a-f]{32}$/.test(made?.fact_id), `the id is ${made?.fact_id}`);
  }),
  L2.must('A60', '7.2', 'confidence is between 0 and 1', async (trial) => {
    assertError(await trial.assert(fact('conf', 'x', { confidence: 1.5 })), 400, 'invalid_schema');
    const made = await trial.asserted(fact('conf', 'x', { confidence: 0.5, tags: ['t'] }));
    assertEqual([made.confidence, made.tags], [0.5, ['t']], 'confidence and tags');
  }),
  L2.must('A61', '7.2', 'asserted_by is the author of the source package', async (trial) => {
    const source = await trial.deposited();
    const { asserted_by } = await trial.asserted(fact('by', 'x', { source_package_id: source.package_id }));
    const { id, type } = source.created_by;
    assertEqual([asserted_by?.id, asserted_by?.type], [id, type], 'asserted_by');
  }),
  L2.must('A62', '7.3', 'A new fact ends the old one where it begins', async (trial) => {
    await trial.asserted(fact('supersede', 'one'));
    const second = await trial.asserted(fact('supersede', 'two'));
    const facts = await history(trial, 'supersede');
    assertEqual(facts.length, 2, 'facts in the history');
    const first = facts.find(({ value }) => value === 'one');
    assertEqual(first?.valid_to, second.valid_from, 'the end of the first');
  }),
  L2.must('A63', '7.3', 'Concurrent writers leave one current fact and an unbroken chain', async (trial) => {
    const writers = Array.from({ length: 32 }, (_, i) => fact('crowd', `writer ${i}`));
    const replies = await Promise.all(writers.map((body) => trial.assert(body)));
    const accepted = replies.filter((reply) => reply.status < 300).length;
    assert(accepted > 0, `every writer was refused: ${shown(replies[0]!)}`);
    const facts = await history(trial, 'crowd', '&limit=200');
    assertEqual(facts.length, accepted, 'facts in the history, one for each accepted writer');
    const ended = facts.filter(({ valid_to }) => valid_to !== null);
    assertEqual(facts.length - ended.length, 1, 'current facts');
    const starts = facts.map(({ valid_from }) => Date.parse(valid_from)).sort((a, b) => a - b);
    const ends = ended.map(({ valid_to }) => Date.parse(valid_to ?? '')).sort((a, b) => a - b);
    assertEqual(ends, starts.slice(1), 'each end is the next beginning');
  }),
  L2.must('A65', '7.3', 'The current fact is the one without an end', async (trial) => {
    await trial.asserted(fact('current', 'one'));
    await trial.asserted(fact('current', 'two'));
    assertEqual(valuesAndEnds(await trial.facts(about('current'))), [['two', null]], 'current facts');
  }),
  L2.must('A66', '7.3', 'as_of finds facts that began at or before it and ended after it', async (trial) => {
    await trial.asserted(fact('asof', 'one', { valid_from: '2026-04-01T00:00:00Z' }));
    await trial.asserted(fact('asof', 'two', { valid_from: '2026-04-10T00:00:00Z' }));
    const at = async (moment: string) => valuesOf(await trial.facts(about('asof', `&as_of=${moment}`)));
    assertEqual(await at('2026-03-31T23:59:59.999Z'), [], 'before the beginning');
    assertEqual(await at('2026-04-01T00:00:00Z'), ['one'], 'at the beginning');
    assertEqual(await at('2026-04-09T23:59:59.999Z'), ['one'], 'just before the end');
    assertEqual(await at('2026-04-10T00:00:00Z'), ['two'], 'at the end');
  }),
  L2.must('A67', '7.4', 'An invalidated fact has no successor and keeps its history', async (trial) => {
    await trial.asserted(fact('ended', 'one'));
    assertAccepted(await endFacts(trial, 'ended'), 'the invalidation');
    assertEqual(await trial.facts(about('ended')), [], 'current facts');
    const facts = await history(trial, 'ended');
    assert(facts.length === 1 && facts[0]?.valid_to !== null, 'the history is gone or has no end');
  }),
  L2.must('A68', '8.7', 'Invalidation returns a count and honours a given value', async (trial) => {
    await trial.asserted(fact('count', 'one'));
    const end = async (more: string) => {
      const { json } = await endFacts(trial, 'count', more);
      return json?.invalidated ?? json?.count ?? json;
    };
    assertEqual(await end('&object=other'), 0, 'the count with another value');
    assertEqual(await end('&object=one'), 1, 'the count with its value');
    assertEqual(await end(''), 0, 'the count once ended');
  }),
  L2.must('A69', '5.2', 'Projects do not share facts', async (trial) => {
    const [one, two] = [trial.projectNamed('ns1'), trial.projectNamed('ns2')];
    for (const project_id of [one, two]) await trial.deposited({ project_id });
    await trial.asserted(fact('same', 'first'), one);
    await trial.asserted(fact('same', 'second'), two);
    assertEqual(valuesOf(await trial.facts('subject=same', one)), ['first'], 'facts of the first project');
  }),
  L2.must('A74', '10.1', 'The intervals of a history follow each other', async (trial) => {
    for (const value of ['a', 'b', 'c']) await trial.asserted(fact('order', value));
    const facts = await history(trial, 'order');
    for (const { valid_from, valid_to } of facts) {
      const forward = valid_to === null || Date.parse(valid_to) >= Date.parse(valid_from);
      assert(forward, 'an interval ends before it begins');
    }
    assertEqual(facts.length, 3, 'facts in the history');
  }),
];
