import { type Automaton, DEAD, UNKNOWN } from '../../automata/automaton.js';

/**
 * Characters of the current term for which the automaton's states are remembered. Characters beyond are read again for
 * each term.
 */
const DEPTH_MAX = 256;

/**
 * Writes the ordinals of terms in [from, to) that the automaton accepts to `out`; returns how many. Each term continues
 * from the state after the characters that it shares with the term before. Once a prefix leads to a dead state, all
 * terms with that prefix are skipped unread.
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
  // The depth at which the current path died or began to accept everything. A term that shares more characters with the
  // one before has the same outcome.
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
