const event = (more = {}) => ({
  event_id: 'evt_1',
  event_type: 'run_started',
  timestamp: '2026-05-01T10:00:00Z',
  run_id: 'run_c1',
  turn: null,
  payload: {},
  ...more,
});
const one = (description, value, ok) => ({
  description,
  type: ok ? 'validate' : 'reject',
  setup: {},
  input: { operation: 'validate_event', args: { event: value } },
  expected: ok ? { result: 'success', errors: [] } : { result: 'error', error_type: 'invalid_event' },
});
const many = (description, events, expected) => ({
  description,
  type: expected === 'success' ? 'validate' : 'reject',
  setup: {},
  input: { operation: 'validate_event_ordering', args: { events } },
  expected:
    expected === 'success' ? { result: 'success', errors: [] } : { result: 'error', error_type: expected },
});
const at = (seconds) => `2026-05-01T10:00:${String(seconds).padStart(2, '0')}Z`;
const dispatched = (turnId, seconds, more = {}) =>
  event({
    event_id: `evt_d${turnId}`,
    event_type: 'turn_dispatched',
    timestamp: at(seconds),
    turn: { turn_id: turnId },
    ...more,
  });
const accepted = (turnId, seconds, more = {}) =>
  event({
    event_id: `evt_a${turnId}`,
    event_type: 'turn_accepted',
    timestamp: at(seconds),
    turn: { turn_id: turnId },
    ...more,
  });

export const surface = 'event_lifecycle';
export const tier = 1;
export const prefix = 'BEL';
export const table = [
  one('An event has an id', event({ event_id: ' ' }), false),
  one('An event that is no object is refused', 'run_started', false),
  one('An instant must be one', event({ timestamp: 'yesterday' }), false),
  one('The thirtieth of February is no instant', event({ timestamp: '2026-02-30T00:00:00Z' }), false),
  one('An instant may carry an offset', event({ timestamp: '2026-05-01T10:00:00.250+02:00' }), true),
  one('A rejection names its turn', event({ event_type: 'turn_rejected' }), false),
  one('An acceptance names its turn', event({ event_type: 'turn_accepted', turn: { turn_id: '' } }), false),
  one('A gate event needs no turn', event({ event_type: 'gate_pending' }), true),
  many('A timeline is not empty', [], 'invalid_events'),
  many(
    'Two events of one instant are in order',
    [event(), dispatched('turn_1', 0), accepted('turn_1', 0)],
    'success',
  ),
  many(
    'Instants are compared across offsets',
    [event({ timestamp: '2026-05-01T12:00:00+02:00' }), dispatched('turn_1', 1)],
    'success',
  ),
  many(
    'An offset does not hide a step back',
    [
      event({ timestamp: '2026-05-01T10:00:05Z' }),
      dispatched('turn_1', 0, { timestamp: '2026-05-01T12:00:04+02:00' }),
    ],
    'ordering_violation',
  ),
  many(
    "Another turn's dispatch does not count",
    [event(), dispatched('turn_1', 1), accepted('turn_2', 2)],
    'ordering_violation',
  ),
  many(
    'A dispatch after the acceptance comes too late',
    [event(), accepted('turn_1', 1), dispatched('turn_1', 2)],
    'ordering_violation',
  ),
  many(
    'Each run is judged by itself',
    [
      event(),
      dispatched('turn_1', 1),
      event({ event_id: 'evt_e', event_type: 'run_completed', timestamp: at(2) }),
      event({ event_id: 'evt_2', run_id: 'run_c2', timestamp: at(3) }),
      dispatched('turn_2', 4, { run_id: 'run_c2' }),
    ],
    'success',
  ),
  many(
    'A second run begins with its own start',
    [event(), dispatched('turn_2', 4, { run_id: 'run_c2' })],
    'ordering_violation',
  ),
  many(
    'Nothing follows the end',
    [
      event(),
      event({ event_id: 'evt_e', event_type: 'run_completed', timestamp: at(1) }),
      event({ event_id: 'evt_f', event_type: 'run_completed', timestamp: at(2) }),
    ],
    'ordering_violation',
  ),
];
