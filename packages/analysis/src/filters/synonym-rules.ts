import { errors } from '@shoal/errors';
import type { BuildContext } from '../component.js';

/** Synonyms of one sequence of terms. Each output is a sequence of terms. */
export interface SynonymEntry {
  readonly outputs: (readonly string[])[];
  /** Whether the input is kept in addition to the outputs. */
  keepsOriginal: boolean;
}

/** Compiled synonym rules. The key of an entry is its input: the terms joined by TERM_SEPARATOR. */
export interface SynonymMap {
  readonly entries: ReadonlyMap<string, SynonymEntry>;
  /** Length of the longest input, in terms. */
  readonly longest: number;
}

/** Joins terms to a key; a character that no term contains. */
export const TERM_SEPARATOR = '\u0000';

function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let current = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && i + 1 < text.length) current += text[i++]! + text[i]!;
    else if (text.startsWith(separator, i)) {
      parts.push(current);
      current = '';
      i += separator.length - 1;
    } else current += text[i]!;
  }
  return [...parts, current];
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, '$1').trim();
}

function parseError(message: string, cause?: string): Error {
  return errors.illegalArgument('failed to build synonyms', {
    cause: errors.parse(message, cause === undefined ? {} : { cause: errors.illegalArgument(cause) }),
  });
}

/** Analyses a side of a rule with the chain before the filter. Returns null if `lenient` and the side is not valid. */
function analyze(text: string, line: number, context: BuildContext, lenient: boolean): readonly string[] | null {
  const { tokens } = context.analyzeRule(unescape(text));
  const terms = tokens.map(({ term }) => term);
  const hasGap = tokens.some((token, i) => i > 0 && token.position !== tokens[i - 1]!.position + 1);
  if (terms.length > 0 && !hasGap && tokens[0]!.position === 0) return terms;
  if (lenient) return null;
  const cause =
    terms.length === 0
      ? `term: ${unescape(text)} was completely eliminated by analyzer`
      : `term: ${unescape(text)} analyzed to a token (${terms.at(-1)}) with position increment != 1 (got: 2)`;
  throw parseError(`Invalid synonym rule at line ${line}`, cause);
}

function add(
  entries: Map<string, SynonymEntry>,
  input: readonly string[],
  output: readonly string[],
  keepsOriginal: boolean,
): void {
  const key = input.join(TERM_SEPARATOR);
  const entry = entries.get(key) ?? { outputs: [], keepsOriginal: false };
  const text = output.join(TERM_SEPARATOR);
  if (!entry.outputs.some((known) => known.join(TERM_SEPARATOR) === text)) entry.outputs.push(output);
  entry.keepsOriginal ||= keepsOriginal;
  entries.set(key, entry);
}

function addEquivalents(
  entries: Map<string, SynonymEntry>,
  group: readonly (readonly string[])[],
  expand: boolean,
): void {
  const [first] = group;
  if (!first) return;
  for (const input of group) {
    if (!expand) {
      add(entries, input, first, false);
      continue;
    }
    for (const output of group) if (output !== input) add(entries, input, output, true);
  }
}

function solrRule(
  rule: string,
  line: number,
  entries: Map<string, SynonymEntry>,
  expand: boolean,
  lenient: boolean,
  context: BuildContext,
): void {
  const sides = splitUnescaped(rule, '=>');
  if (sides.length > 2)
    throw parseError(
      `Invalid synonym rule at line ${line}`,
      'more than one explicit mapping specified on the same line',
    );
  const read = (side: string): (readonly string[])[] =>
    splitUnescaped(side, ',')
      .map((text) => analyze(text, line, context, lenient))
      .filter((terms) => terms !== null);
  const inputs = read(sides[0] ?? '');
  if (sides.length === 1) {
    addEquivalents(entries, inputs, expand);
    return;
  }
  const outputs = read(sides[1] ?? '');
  for (const input of inputs) for (const output of outputs) add(entries, input, output, false);
}

/** Parses rules in WordNet format, `s(100000001,1,'abstain',v,1,0).`: the words of a synset are equivalent. */
function wordnetRules(
  rules: readonly string[],
  entries: Map<string, SynonymEntry>,
  expand: boolean,
  lenient: boolean,
  context: BuildContext,
): void {
  const sets = new Map<string, (readonly string[])[]>();
  rules.forEach((rule, i) => {
    const match = /^s\((\d+),\d+,'((?:[^']|'')*)'/.exec(rule);
    if (!match) throw parseError(`Invalid synonym rule at line ${i + 1}`);
    const terms = analyze((match[2] ?? '').replaceAll("''", "'"), i + 1, context, lenient);
    if (terms) sets.set(match[1]!, [...(sets.get(match[1]!) ?? []), terms]);
  });
  for (const group of sets.values()) addEquivalents(entries, group, expand);
}

/**
 * Compiles synonym rules in Solr or WordNet format. Throws `failed to build synonyms` with the number of the wrong
 * line.
 */
export function parseSynonyms(
  rules: readonly string[],
  format: string,
  expand: boolean,
  lenient: boolean,
  context: BuildContext,
): SynonymMap {
  const entries = new Map<string, SynonymEntry>();
  if (format === 'wordnet') wordnetRules(rules, entries, expand, lenient, context);
  else {
    rules.forEach((rule, i) => {
      if (rule.trim() !== '' && !rule.startsWith('#')) solrRule(rule, i + 1, entries, expand, lenient, context);
    });
  }
  let longest = 0;
  for (const key of entries.keys()) longest = Math.max(longest, key.split(TERM_SEPARATOR).length);
  return { entries, longest };
}
