import { isPlainObject } from '@shoal/json';

/**
 * Numbers whose text JSON.parse does not give back: trailing zeros behind the point, exponents, very long fractions,
 * `-0`.
 */
const ODD_NUMBER = /\d\.\d*0(?!\d)|\d[eE][+-]?\d|\.\d{16}|-0(?![.\d])/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const decoder = new TextDecoder();

type Container = Readonly<Record<string | number, unknown>>;

/** The texts of a document's numbers, as its source writes them. */
export interface SourceNumbers {
  textAt(container: object, key: string | number, value: number): string;
}

const PLAIN: SourceNumbers = { textAt: (_container, _key, value) => String(value) };

/** Pairs every object and array of a tree with the one at the same place in another tree of the same shape. */
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
 * Reads a source again with its numbers as texts, in one pass over it, if any number may be written otherwise than
 * JavaScript writes it; else the numbers' own text serves.
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
