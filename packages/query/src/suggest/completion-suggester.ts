import { errors } from '@shoal/errors';
import { compileSourceFilter, isPlainObject, parseSource, type JsonObject } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import { regexpAutomaton } from '../automata/regexp.js';
import { regexpFlags } from '../automata/regexp-flags.js';
import { AUTO_FUZZINESS, type Fuzziness, parseFuzziness } from '../parse/fuzziness.js';
import { boolean, int, text } from '../parse/options.js';
import type { Searcher } from '../searcher.js';
import { contextFilter, type ContextQuery, parseContextQuery } from './completion-contexts.js';
import {
  mappedField,
  type ParsedSuggestion,
  requiredField,
  type SuggestInput,
  type SuggestOption,
  type Suggester,
  unsupportedKey,
} from './suggester.js';

/** Suggests inputs of a `completion` field that begin with a text, heaviest first. */
export const completionSuggester: Suggester = { name: 'completion', parse };

/** Separator of the parts of a completion term: analysed input, weight, input, contexts. */
const SEPARATOR = '\u001f';
const KEYS = ['field', 'analyzer', 'size', 'shard_size', 'skip_duplicates', 'fuzzy', 'regex', 'contexts'];
const DEFAULT_SIZE = 5;
const STATES_MAX = 10000;

interface Fuzzy {
  readonly fuzziness: Fuzziness;
  readonly minLength: number;
  readonly prefixLength: number;
  readonly transpositions: boolean;
}

function parse(body: JsonObject): ParsedSuggestion {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw unsupportedKey('completion', unknown, body);
  const field = requiredField(body);
  const place = (key: string): { type: string; container: object; key: string } => ({
    type: 'completion',
    container: body,
    key,
  });
  const size = body['size'] === undefined ? DEFAULT_SIZE : int(body['size'], place('size'));
  const skipsDuplicates =
    body['skip_duplicates'] !== undefined && boolean(body['skip_duplicates'], place('skip_duplicates'));
  const fuzzy = parseFuzzy(body['fuzzy']);
  const contexts = parseContextQuery(body['contexts']);
  return {
    type: 'completion',
    run: async (input) => {
      const type = completionField(field, input.searcher);
      const accepts = input.isRegex ? regexMatcher(input.text) : prefixMatcher(analyseInput(input.text, type), fuzzy);
      const options = bestOptions(type, accepts, contexts, size, skipsDuplicates, input);
      return [{ text: input.text, offset: 0, length: input.text.length, options }];
    },
  };
}

function completionField(name: string, searcher: Searcher): FieldType {
  const type = mappedField(name, searcher);
  if (type.capabilities.completes) return type;
  throw errors.illegalArgument(`Field [${name}] is not a completion suggest field`);
}

function parseFuzzy(value: unknown): Fuzzy | null {
  if (value === undefined || value === false) return null;
  const body = isPlainObject(value) ? value : {};
  const place = (key: string): { type: string; container: object; key: string } => ({
    type: 'fuzzy',
    container: body,
    key,
  });
  return {
    fuzziness:
      body['fuzziness'] === undefined ? AUTO_FUZZINESS : parseFuzziness(text(body['fuzziness'], place('fuzziness'))),
    minLength: body['min_length'] === undefined ? 3 : int(body['min_length'], place('min_length')),
    prefixLength: body['prefix_length'] === undefined ? 1 : int(body['prefix_length'], place('prefix_length')),
    transpositions: body['transpositions'] === undefined || boolean(body['transpositions'], place('transpositions')),
  };
}

function analyseInput(given: string, type: FieldType): string {
  const tokens = type.searchAnalyzer!.analyze(given);
  return tokens.terms.slice(0, tokens.count).join(type.toJson(true)['preserve_separators'] === false ? '' : ' ');
}

type Accepts = (input: string) => boolean;

function prefixMatcher(prefix: string, fuzzy: Fuzzy | null): Accepts {
  const edits = fuzzy && prefix.length >= fuzzy.minLength ? fuzzy.fuzziness(prefix) : 0;
  if (!fuzzy || edits === 0) return (input) => input.startsWith(prefix);
  const fixed = prefix.slice(0, fuzzy.prefixLength);
  return (input) => input.startsWith(fixed) && prefixEdits(input, prefix, fuzzy.transpositions) <= edits;
}

/** Returns the smallest number of edits that turn `prefix` into some beginning of `input`. */
function prefixEdits(input: string, prefix: string, transpositions: boolean): number {
  const left = [...prefix];
  const right = [...input].slice(0, left.length + 2);
  let before: number[] = [];
  let last = Array.from({ length: left.length + 1 }, (_, i) => i);
  let best = last[left.length]!;
  right.forEach((char, j) => {
    const next = [j + 1];
    left.forEach((other, i) => {
      let cell = Math.min(last[i]! + (other === char ? 0 : 1), last[i + 1]! + 1, next[i]! + 1);
      if (transpositions && i > 0 && j > 0 && left[i - 1] === char && right[j - 1] === other)
        cell = Math.min(cell, before[i - 1]! + 1);
      next.push(cell);
    });
    before = last;
    last = next;
    best = Math.min(best, next[left.length]!);
  });
  return best;
}

function regexMatcher(pattern: string): Accepts {
  const automaton = regexpAutomaton(`(${pattern}).*`, regexpFlags('ALL'), false, STATES_MAX);
  return (input) => automaton.matches(input);
}

interface Candidate {
  readonly doc: number;
  readonly text: string;
  readonly score: number;
  readonly contexts: unknown;
}

function bestOptions(
  type: FieldType,
  accepts: Accepts,
  contexts: ContextQuery | null,
  size: number,
  skipsDuplicates: boolean,
  input: SuggestInput,
): SuggestOption[] {
  const candidates = candidatesOf(type, accepts, contexts, input.searcher);
  candidates.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : a.text > b.text ? 1 : a.doc - b.doc));
  const docs = new Set<number>();
  const texts = new Set<string>();
  const options: SuggestOption[] = [];
  for (const candidate of candidates) {
    if (options.length >= size) break;
    if (docs.has(candidate.doc) || (skipsDuplicates && texts.has(candidate.text))) continue;
    docs.add(candidate.doc);
    texts.add(candidate.text);
    options.push(optionOf(candidate, input));
  }
  return options;
}

function candidatesOf(
  type: FieldType,
  accepts: Accepts,
  contexts: ContextQuery | null,
  searcher: Searcher,
): Candidate[] {
  const found: Candidate[] = [];
  const boostOf = contextFilter(contexts, type);
  for (const { reader, live, docBase, maxDoc } of searcher.segments) {
    const terms = reader.terms(type.name);
    if (!terms) continue;
    for (const cursor = terms.cursor(), more = { next: cursor.next() }; more.next; more.next = cursor.next()) {
      const [analysedInput = '', weight = '1', shown = '', tail] = cursor.term.split(SEPARATOR);
      if (!accepts(analysedInput)) continue;
      const given: unknown = tail === undefined ? null : JSON.parse(tail);
      const boost = boostOf(given);
      if (boost === null) continue;
      const postings = terms.postings(cursor.ordinal);
      while (postings.nextBlock() > 0) {
        for (let i = 0; i < postings.size; i++) {
          const doc = postings.docs[i]!;
          if (doc < maxDoc && (live === null || live.get(doc)))
            found.push({ doc: docBase + doc, text: shown, score: Number(weight) * boost, contexts: given });
        }
      }
    }
  }
  return found;
}

function optionOf(
  { doc, text: shown, score, contexts }: Candidate,
  { searcher, source: spec }: SuggestInput,
): SuggestOption {
  const { id, source: bytes } = searcher.stored(doc);
  const isShown = bytes.length > 0 && (spec?.isShown ?? true);
  return {
    text: shown,
    _index: searcher.index,
    _id: id,
    _score: score,
    ...(isShown
      ? { _source: parseSource(spec ? compileSourceFilter(spec.includes, spec.excludes)(bytes) : bytes) }
      : {}),
    ...(isPlainObject(contexts) ? { contexts: listContexts(contexts) } : {}),
  };
}

function listContexts(contexts: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(contexts).map(([name, values]) => [name, Array.isArray(values) ? values : [values]]),
  );
}
