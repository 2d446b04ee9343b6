/** Characters that are no text of their own in an expression. */
const SPECIAL = new Set('\\^$.|?*+()[]{}');
/** Alternatives that are worth looking for; beyond, the expression is run. */
const ALTERNATIVES_MAX = 12;

/** Texts of which every match contains at least one; empty if none are known. */
type Literals = readonly string[];

/**
 * Returns texts, lower-cased, of which every match of a regular expression contains at least one; empty if none are
 * known. They let most expressions of a long list be passed over without being run: see whether one of the texts is
 * there first.
 */
export function requiredLiterals(source: string): Literals {
  return ofAlternatives(source).map((text) => text.toLowerCase());
}

function ofAlternatives(source: string): Literals {
  const found = alternatives(source).map(ofSequence);
  const all = found.flat();
  return found.some((literals) => literals.length === 0) || all.length > ALTERNATIVES_MAX ? [] : all;
}

/** Splits an expression at the `|` of its outermost level. */
function alternatives(source: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < source.length; i = endOfItem(source, i)) {
    if (source[i] !== '|') continue;
    parts.push(source.slice(from, i));
    from = i + 1;
  }
  return [...parts, source.slice(from)];
}

/** Returns the best of what an expression without `|` at its outermost level contains. */
function ofSequence(source: string): Literals {
  let best: Literals = [];
  let run = '';
  const offer = (literals: Literals): void => {
    if (worth(literals) > worth(best)) best = literals;
  };
  for (let i = 0; i < source.length; ) {
    const end = endOfItem(source, i);
    const item = source.slice(i, end);
    const quantifier = /^(?:[?*+]|\{\d+,?\d*\})\??/.exec(source.slice(end))?.[0] ?? '';
    const isThere = quantifier === '' || /^[+]|^\{[1-9]/.test(quantifier);
    const char = literalOf(item);
    if (char !== null && isThere) run += char;
    // `x+` and `x{2}` contain x, but more than one of them may stand between its neighbours.
    if (char === null || quantifier !== '') {
      offer([run]);
      run = '';
    }
    if (item[0] === '(' && isThere) offer(ofGroup(item));
    i = end + quantifier.length;
  }
  offer([run]);
  return best;
}

/** Length of the shortest; 0 if there is an empty one or none at all. */
function worth(literals: Literals): number {
  return literals.length === 0 ? 0 : Math.min(...literals.map((text) => text.length));
}

/** What a group contains; nothing is known of those that look around. */
function ofGroup(item: string): Literals {
  const inner = item.slice(item.startsWith('(?:') ? 3 : 1, -1);
  return inner.startsWith('?') ? [] : ofAlternatives(inner);
}

/** Returns where a character, class or group ends that begins at `start`. */
function endOfItem(source: string, start: number): number {
  const first = source[start];
  if (first === '\\') return start + 2;
  if (first === '[') return endOfClass(source, start);
  if (first !== '(') return start + 1;
  let depth = 0;
  for (let i = start; i < source.length; ) {
    if (source[i] === '(') depth++;
    if (source[i] === ')' && --depth === 0) return i + 1;
    i = source[i] === '\\' || source[i] === '[' ? endOfItem(source, i) : i + 1;
  }
  return source.length;
}

function endOfClass(source: string, start: number): number {
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === ']') return i + 1;
  }
  return source.length;
}

/** Returns the character that an item stands for; null if it may stand for several, or for none. */
function literalOf(item: string): string | null {
  if (item.length === 1) return SPECIAL.has(item) ? null : item;
  return item.length === 2 && /^\\[^a-zA-Z0-9]$/.test(item) ? item[1]! : null;
}
