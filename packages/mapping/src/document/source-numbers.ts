import { isPlainObject } from '@shoal/json';

/**
 * Numbers that JavaScript would print in another way than the source: trailing zeros, exponents, very long fractions,
 * `-0`.
 */
const ODD_NUMBER = /\d\.\d*0(?!\d)|\d[eE][+-]?\d|\.\d{16}|-0(?![.\d])/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const decoder = new TextDecoder();

type Container = Readonly<Record<string | number, unknown>>;

/** Texts of a document's numbers as the source writes them. */
export interface SourceNumbers {
  textAt(container: object, key: string | number, value: number): string;
}

const PLAIN: SourceNumbers = { textAt: (_container, _key, value) => String(value) };

/** Maps each object and array of a tree to its counterpart in another tree of the same shape. */
function pairContainers(tree: unknown, other: unknown, pairs: Map<object, Container>): void {
  if (typeof tree !== 'object' || tree === null || typeof other !== 'object' || other === null) return;
  pairs.set(tree, other as Container);
  if (Array.isArray(tree)) {
    tree.forEach((item, i) => pairContainers(item, (other as Container)[i], pairs));
    return;
  }
  for (const [key, value] of Object.entries(tree)) pairContainers(value, (other as Container)[key], pairs);
}

function parseQuoted(text: string): unknown {
  try {
    return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  } catch {
    return null;
  }
}

/**
 * Parses the source again with all numbers as strings, if any number may be written in another way than JavaScript
 * prints it. Otherwise numbers are printed.
 */
export function sourceNumbers(source: Uint8Array, root: unknown): SourceNumbers {
  const text = decoder.decode(source);
  if (!ODD_NUMBER.test(text)) return PLAIN;
  const quoted = parseQuoted(text);
  if (!isPlainObject(quoted)) return PLAIN;
  const pairs = new Map<object, Container>();
  pairContainers(root, quoted, pairs);
  return {
    textAt(container, key, value) {
      const found = pairs.get(container)?.[key];
      return typeof found === 'string' ? found : String(value);
    },
  };
}
