import { type Automaton, DEAD, UNKNOWN } from '../../automata/automaton.js';

/** Depth to which states are remembered for the next term; longer terms are read again from there. */
const DEPTH_MAX = 256;

/**
 * Numbers of terms in [from, to) that the automaton accepts, written to `out`; returns how many. Each term continues
 * from the state after the characters that it shares with the one before: once a prefix is dead, terms with it are
 * passed over without a look.
 */
export function intersectDictionary(
  text: string,
  starts: Int32Array,
  shared: Uint8Array,
  from: number,
  to: number,
  automaton: Automaton,
  out: Int32Array,
): number {
  const states = new Int32Array(DEPTH_MAX + 1);
  states[0] = automaton.start;
  const { asciiClass, classCount } = automaton;
  let { table, accepting } = automaton;
  let found = 0;
  // The depth at which the current path died or began to accept everything; terms that share more go the same way.
  let settledDepth = 0x7fffffff;
  let settledAccepts = false;
  let known = 0;
  for (let i = from; i < to; i++) {
    const common = i === from ? 0 : shared[i]!;
    if (common >= settledDepth) {
      if (settledAccepts) out[found++] = i;
      continue;
    }
    settledDepth = 0x7fffffff;
    const start = starts[i]!;
    const length = starts[i + 1]! - start;
    let depth = common < known ? common : known;
    let state = states[depth]!;
    let flags = accepting[state]!;
    while (depth < length && state !== DEAD && flags !== 3) {
      let code = text.charCodeAt(start + depth);
      let charClass: number;
      if (code < 128) charClass = asciiClass[code]!;
      else {
        code = text.codePointAt(start + depth)!;
        charClass = automaton.classOf(code);
        if (code > 0xffff && ++depth <= DEPTH_MAX) states[depth] = state;
      }
      let next = table[state * classCount + charClass]!;
      if (next === UNKNOWN) {
        next = automaton.expand(state, charClass);
        ({ table, accepting } = automaton);
      }
      state = next;
      flags = accepting[state]!;
      depth++;
      if (depth <= DEPTH_MAX) states[depth] = state;
    }
    known = depth < DEPTH_MAX ? depth : DEPTH_MAX;
    if (state === DEAD || flags === 3) {
      settledDepth = depth;
      settledAccepts = flags === 3;
    }
    if (flags !== 0) out[found++] = i;
  }
  return found;
}
