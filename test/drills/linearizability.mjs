// Whether what clients saw of one document can be told as one order of atomic operations (Wing and Gong, "Testing and
// verifying concurrent objects", 1993): each takes effect once between its call and its answer; one without an answer
// may take effect at any time after its call, or never. Written values are unique, so that a value names its write.

const STEPS_MAX = 200_000;

/** The document's value after `op`, or undefined where its outcome cannot be from a document that has `value`. */
function after(value, op) {
  const { kind, outcome } = op;
  if (kind === 'get') return (outcome.value ?? null) === value ? value : undefined;
  const applies =
    kind === 'put' || (kind === 'delete' ? value !== null : kind === 'create' ? value === null : value === op.expected);
  if (outcome.type === 'unknown') return applies ? op.value : undefined;
  if (outcome.type === 'refused') return applies ? undefined : value;
  if (!applies) return undefined;
  if (outcome.isCreated !== undefined && outcome.isCreated !== (value === null)) return undefined;
  return op.value;
}

const stateKey = (first, done, value, seqNo) =>
  `${first} ${[...done].sort((a, b) => a - b).join(',')} ${value} ${seqNo}`;

/**
 * `ops`: { kind: put | create | cas | delete | get, value (null for delete), expected (of cas), call, answer (times;
 * Infinity without one), outcome: { type: ok | refused | unknown, isCreated?, seqNo?, value? (of get) } }. Sequence
 * numbers of one document rise. Returns null if there is such an order, 'undecided' if the search was given up, else
 * the longest list of operations that could be ordered.
 */
export function explain(ops, initial = null) {
  const known = ops.filter((op) => op.outcome.type !== 'unknown').sort((a, b) => a.call - b.call);
  const unknown = ops
    .filter((op) => op.outcome.type === 'unknown' && op.kind !== 'get')
    .sort((a, b) => a.call - b.call);
  const all = [...known, ...unknown];
  const seen = new Set();
  let best = [];
  let steps = 0;
  // An explicit stack: a document has more operations than the call stack has room for.
  const stack = [{ first: 0, done: new Set(), value: initial, seqNo: -1, order: null, length: 0 }];
  while (stack.length > 0) {
    const state = stack.pop();
    if (state.first === known.length) return null;
    const key = stateKey(state.first, state.done, state.value, state.seqNo);
    if (seen.has(key)) continue;
    seen.add(key);
    if (++steps > STEPS_MAX) return 'undecided';
    if (state.length > best.length) best = orderOf(state, all);
    for (const next of successors(state, known, unknown)) stack.push(next);
  }
  return { order: best, left: all.filter((op) => !best.includes(op)) };
}

function orderOf(state, all) {
  const order = [];
  for (let at = state.order; at; at = at.before) order.push(all[at.index]);
  return order.reverse();
}

/** The states that one more operation leads to; those that are tried first come last. */
function successors(state, known, unknown) {
  let deadline = Infinity;
  for (let i = state.first; i < known.length; i++)
    if (!state.done.has(i)) deadline = Math.min(deadline, known[i].answer);
  const result = [];
  for (let i = unknown.length - 1; i >= 0; i--) {
    const index = known.length + i;
    if (unknown[i].call < deadline && !state.done.has(index)) add(result, state, index, unknown[i], known);
  }
  for (let i = known.length - 1; i >= state.first; i--)
    if (known[i].call < deadline && !state.done.has(i)) add(result, state, i, known[i], known);
  return result;
}

function add(result, state, index, op, known) {
  const { seqNo = -1 } = op.outcome;
  if (seqNo >= 0 && seqNo <= state.seqNo) return;
  const value = after(state.value, op);
  if (value === undefined) return;
  const done = new Set(state.done).add(index);
  let { first } = state;
  while (first < known.length && done.delete(first)) first++;
  result.push({
    first,
    done,
    value,
    seqNo: Math.max(seqNo, state.seqNo),
    order: { index, before: state.order },
    length: state.length + 1,
  });
}
