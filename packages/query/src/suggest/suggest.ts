import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { text } from '../parse/options.js';
import type { Pause, Searcher } from '../searcher.js';
import { completionSuggester } from './completion-suggester.js';
import { phraseSuggester } from './phrase-suggester.js';
import {
  isScalar,
  mappedField,
  type ParsedSuggestion,
  type ShowHits,
  type SuggestEntry,
  type Suggester,
} from './suggester.js';
import { termSuggester } from './term-suggester.js';

const SUGGESTERS: ReadonlyMap<string, Suggester> = new Map(
  [termSuggester, phraseSuggester, completionSuggester].map((suggester) => [suggester.name, suggester]),
);

interface NamedSuggestion {
  readonly name: string;
  readonly text: string | null;
  readonly isRegex: boolean;
  readonly suggestion: ParsedSuggestion;
}

/** A `suggest` body after parsing. */
export interface SuggestRequest {
  readonly suggestions: readonly NamedSuggestion[];
}

/** Parses the suggestions of a search body; throws for unknown suggesters and options. */
export function parseSuggest(body: unknown, container: object): SuggestRequest {
  if (!isPlainObject(body))
    throw errors.parsing(`Unknown key for a ${tokenOf(body)} in [suggest].`, {
      location: { container, key: 'suggest' },
    });
  let global: string | null = null;
  const named: Omit<NamedSuggestion, 'text'>[] = [];
  const texts: (string | null)[] = [];
  for (const name of Object.keys(body)) {
    const entry = body[name];
    if (isPlainObject(entry)) {
      const { given, isRegex, suggestion } = parseNamed(entry);
      named.push({ name, isRegex, suggestion });
      texts.push(given);
    } else if (!isScalar(entry))
      throw errors.parsing(`unexpected token [${tokenOf(entry)}] after [${name}]`, {
        location: { container: body, key: name },
      });
    else if (name !== 'text') throw errors.illegalArgument(`[suggest] does not support [${name}]`);
    else global = text(entry, { type: 'suggest', container: body, key: name });
  }
  return { suggestions: named.map((suggestion, i) => ({ ...suggestion, text: texts[i] ?? global })) };
}

/** Parses one suggestion. Lists are read as if their items stood there one after the other, as in Elasticsearch. */
function parseNamed(entry: JsonObject): { given: string | null; isRegex: boolean; suggestion: ParsedSuggestion } {
  let given: string | null = null;
  let isRegex = false;
  let suggestion: ParsedSuggestion | null = null;
  for (const key of Object.keys(entry)) {
    const values: unknown[] = Array.isArray(entry[key]) ? (entry[key] as unknown[]).flat(Infinity) : [entry[key]];
    for (const value of values) {
      const location = { container: entry, key };
      if (isPlainObject(value)) {
        const suggester = SUGGESTERS.get(key);
        if (!suggester) throw errors.namedObjectNotFound(`unknown field [${key}]`, { location });
        suggestion = suggester.parse(value, entry);
      } else if (isScalar(value)) {
        if (key !== 'text' && key !== 'prefix' && key !== 'regex')
          throw errors.parsing(`suggestion does not support [${key}]`, { location });
        given = text(value, { type: 'suggest', container: entry, key });
        isRegex = key === 'regex';
      }
    }
  }
  if (!suggestion) throw errors.parse('missing suggestion object');
  return { given, isRegex, suggestion };
}

/** Throws if a suggestion is for a field that the mapping does not have. */
export function checkSuggestions({ suggestions }: SuggestRequest, searcher: Searcher): void {
  for (const { suggestion } of suggestions) mappedField(suggestion.field, searcher);
}

/** What suggestions are run on, and how their answer shows them. */
export interface SuggestContext {
  readonly searcher: Searcher;
  readonly showHits: ShowHits;
  /** Pauses of the request. */
  readonly pause: Pause;
}

/** Runs the suggestions on one shard; returns their entries by name. */
export async function runSuggest({ suggestions }: SuggestRequest, context: SuggestContext): Promise<Suggestions> {
  const results: [string, readonly SuggestEntry[]][] = [];
  for (const { text: given, suggestion } of suggestions) {
    mappedField(suggestion.field, context.searcher);
    if (given === null) throw errors.illegalArgument('The required text option is missing');
  }
  for (const { name, text: given, isRegex, suggestion } of suggestions) {
    results.push([name, await suggestion.run({ text: given!, isRegex, ...context })]);
  }
  return Object.fromEntries(results);
}

/** Entries of suggestions by name. */
export type Suggestions = Readonly<Record<string, readonly SuggestEntry[]>>;

/** Merges the suggestions of all shards; names begin with the kind (`term#name`) with typed keys. Null without any. */
export function reduceSuggest(
  { suggestions }: SuggestRequest,
  shards: readonly Suggestions[],
  typedKeys: boolean,
): Suggestions | null {
  if (suggestions.length === 0) return null;
  return Object.fromEntries(
    suggestions.map(({ name, suggestion }) => [
      typedKeys ? `${suggestion.type}#${name}` : name,
      suggestion.reduce(shards.flatMap((shard) => (Object.hasOwn(shard, name) ? [shard[name]!] : []))),
    ]),
  );
}
