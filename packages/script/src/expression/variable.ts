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
  /^(?:\.?([_$a-zA-Z][_$a-zA-Z0-9]*)|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]|\[(0|[1-9]\d*)\])/;
const FIRST = /^[_$a-zA-Z]/;

/** Reads the variable or the name of a function at the beginning of a text; null if there is none. */
export function readVariable(text: string): { readonly variable: Variable; readonly length: number } | null {
  if (!FIRST.test(text)) return null;
  const parts: VariablePart[] = [];
  let length = 0;
  for (;;) {
    const rest = text.slice(length);
    const match = parts.length > 0 && FIRST.test(rest) ? null : PART.exec(rest);
    if (match === null) break;
    parts.push(partOf(match));
    length += match[0].length;
  }
  return { variable: variableOf(parts), length };
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
