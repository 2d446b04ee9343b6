/** A name of an expression: `n`, `_score`, `doc['f'].value`, `doc['f'].date.year`, `doc['f'].min()`. */
export interface Variable {
  /** As written, with single quotes. */
  readonly text: string;
  readonly parts: readonly VariablePart[];
}

/** A name, the text or number between brackets, or a name with parentheses. */
export interface VariablePart {
  readonly kind: 'member' | 'text' | 'number' | 'method';
  readonly text: string;
}

const PART =
  /(?:\.?([_$a-zA-Z][_$a-zA-Z0-9]*)|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]|\[(0|[1-9]\d*)\])/y;
const FIRST = /^[_$a-zA-Z]/;

/** Reads the variable or the name of a function at an offset; null if there is none. */
export function readVariable(
  source: string,
  at: number,
): { readonly variable: Variable; readonly length: number } | null {
  if (!FIRST.test(source.charAt(at))) return null;
  const parts: VariablePart[] = [];
  let end = at;
  for (;;) {
    PART.lastIndex = end;
    const match = parts.length > 0 && FIRST.test(source.charAt(end)) ? null : PART.exec(source);
    if (match === null) break;
    parts.push(partOf(match));
    end += match[0].length;
  }
  return { variable: variableOf(parts), length: end - at };
}

function partOf([, member, single, double, number]: RegExpExecArray): VariablePart {
  if (member !== undefined) return { kind: 'member', text: member };
  if (number !== undefined) return { kind: 'number', text: number };
  return { kind: 'text', text: (single ?? double!).replace(/\\(.)/g, '$1') };
}

/** Returns a variable whose last member is called. */
export function asMethod({ parts }: Variable): Variable {
  const last = parts.at(-1)!;
  return variableOf([...parts.slice(0, -1), { kind: 'method', text: last.text }]);
}

function variableOf(parts: readonly VariablePart[]): Variable {
  const shown = parts.map(({ kind, text }, i) => {
    if (kind === 'text') return `['${text.replace(/['\\]/g, '\\$&')}']`;
    if (kind === 'number') return `[${text}]`;
    return `${i === 0 ? '' : '.'}${text}${kind === 'method' ? '()' : ''}`;
  });
  return { text: shown.join(''), parts };
}
