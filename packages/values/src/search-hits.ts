import { type ExactJson, ExactNumber, exactText, parseExact, rawAt, rawElements, rawMembers } from './exact-json.js';

/** A document that was found. Its text is kept as the cluster wrote it, and parsed when it is shown. */
export interface Hit {
  readonly index: string;
  readonly id: string;
  /** Text of `_source`; null if the index keeps none. */
  readonly source: string | null;
  /** Text of the values asked for by name; null if there are none. */
  readonly fields: string | null;
  /** Text of the sort values, `[1714559400000,12]`; null without an order. */
  readonly sort: string | null;
  /** Members of the hit besides those above: `_score`, `_routing`, `_version`. */
  readonly others: readonly (readonly [name: string, text: string])[];
}

const OWN: ReadonlySet<string> = new Set(['_index', '_id', '_source', 'fields', 'sort']);

/** The documents of the text of an answer. Throws SyntaxError for a text that is no JSON. */
export const hitsOf = (text: string): readonly Hit[] =>
  rawElements(rawAt(text, ['hits', 'hits']) ?? '[]').map((hit) => {
    const members = new Map(rawMembers(hit).map(({ key, from, to }) => [key, hit.slice(from, to)]));
    const name = (key: string): string => String(parseExact(members.get(key) ?? '""'));
    return {
      index: name('_index'),
      id: name('_id'),
      source: members.get('_source') ?? null,
      fields: members.get('fields') ?? null,
      sort: members.get('sort') ?? null,
      others: [...members].filter(([key]) => !OWN.has(key)),
    };
  });

/** A field of a document with its values as texts. */
export interface FieldValues {
  readonly name: string;
  readonly values: readonly ExactJson[];
}

/** Longest path of keys that is followed. */
const DEPTH_MAX = 100;

/** Leaves of a document in their order, objects within lists included: `user.name`. */
export function leavesOf(source: ExactJson): readonly FieldValues[] {
  const leaves = new Map<string, ExactJson[]>();
  const visit = (value: ExactJson, name: string, depth: number): void => {
    if (value instanceof Map && value.size > 0 && depth < DEPTH_MAX)
      for (const [key, inner] of value) visit(inner, name === '' ? key : `${name}.${key}`, depth + 1);
    else if (Array.isArray(value) && value.length > 0 && depth < DEPTH_MAX)
      for (const inner of value as readonly ExactJson[]) visit(inner, name, depth + 1);
    else if (leaves.has(name)) leaves.get(name)!.push(value);
    else leaves.set(name, [value]);
  };
  visit(source, '', 0);
  return [...leaves].filter(([name]) => name !== '').map(([name, values]) => ({ name, values }));
}

/** Values at a dotted name, whose dots may be within keys or between objects. */
function valuesAt(source: ExactJson, name: string): readonly ExactJson[] {
  const found: ExactJson[] = [];
  const visit = (value: ExactJson, rest: string, depth: number): void => {
    if (Array.isArray(value) && depth < DEPTH_MAX)
      for (const inner of value as readonly ExactJson[]) visit(inner, rest, depth + 1);
    else if (rest === '') found.push(value);
    else if (value instanceof Map && depth < DEPTH_MAX)
      for (let end = rest.length; end > 0; end = rest.lastIndexOf('.', end - 1)) {
        const inner = (value as ReadonlyMap<string, ExactJson>).get(rest.slice(0, end));
        if (inner !== undefined) visit(inner, rest.slice(end + 1), depth + 1);
      }
  };
  visit(source, name, 0);
  return found;
}

/** A value as people read it: texts without quotes, numbers as they were written. */
export const plainText = (value: ExactJson): string =>
  typeof value === 'string' ? value : value instanceof ExactNumber ? value.text : exactText(value);

/** A hit whose values were parsed. */
export interface ReadHit {
  readonly source: ExactJson;
  readonly fields: ExactJson;
}

/** Parses a hit. */
export const readHit = ({ source, fields }: Pick<Hit, 'source' | 'fields'>): ReadHit => ({
  source: source === null ? null : parseExact(source),
  fields: fields === null ? null : parseExact(fields),
});

/** Values of a field: those of the document, else those that the cluster made. */
export function hitValues({ source, fields }: ReadHit, name: string): readonly ExactJson[] {
  const stored = valuesAt(source, name);
  if (stored.length > 0 || !(fields instanceof Map)) return stored;
  const made = (fields as ReadonlyMap<string, ExactJson>).get(name);
  return Array.isArray(made) ? (made as readonly ExactJson[]) : [];
}

/** Values as one text, at most `charsMax` characters of it. */
export function joinedText(values: readonly ExactJson[], charsMax: number): string {
  let text = '';
  for (const value of values) {
    text += (text === '' ? '' : ', ') + plainText(value).slice(0, charsMax + 1);
    if (text.length > charsMax) return `${text.slice(0, charsMax)}…`;
  }
  return text;
}

/** Fields and values of a hit on one line, at most `charsMax` characters of them. */
export function summaryOf(hit: ReadHit, charsMax: number): readonly { readonly name: string; readonly text: string }[] {
  const parts: { name: string; text: string }[] = [];
  let left = charsMax;
  for (const { name, values } of leavesOf(hit.source ?? hit.fields)) {
    if (left <= 0) break;
    const text = joinedText(values, left);
    parts.push({ name, text });
    left -= name.length + text.length;
  }
  return parts;
}
