import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { text } from '../parse/options.js';
import type { SourceSpec } from '../fetch/fetch-spec.js';
import type { Pause, Searcher } from '../searcher.js';
import { completionSuggester } from './completion-suggester.js';
import { phraseSuggester } from './phrase-suggester.js';
import type { ParsedSuggestion, SuggestEntry, Suggester } from './suggester.js';
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
  const global =
    body['text'] === undefined ? null : text(body['text'], { type: 'suggest', container: body, key: 'text' });
  const names = Object.keys(body).filter((key) => key !== 'text');
  return { suggestions: names.map((name) => parseNamed(name, body, global)) };
}

function parseNamed(name: string, body: JsonObject, global: string | null): NamedSuggestion {
  const entry = body[name];
  if (!isPlainObject(entry)) throw notAnObject(name, entry, body);
  let given: string | null = null;
  let isRegex = false;
  let suggestion: ParsedSuggestion | null = null;
  for (const key of Object.keys(entry)) {
    const value = entry[key];
    if (key === 'text' || key === 'prefix' || key === 'regex') {
      given = text(value, { type: 'suggest', container: entry, key });
      isRegex = key === 'regex';
    } else {
      const location = { container: entry, key };
      if (!isPlainObject(value)) throw errors.parsing(`suggestion does not support [${key}]`, { location });
      const suggester = SUGGESTERS.get(key);
      if (!suggester) throw errors.namedObjectNotFound(`unknown field [${key}]`, { location });
      suggestion = suggester.parse(value, entry);
    }
  }
  if (!suggestion) throw errors.parse('missing suggestion object');
  return { name, text: given ?? global, isRegex, suggestion };
}

function notAnObject(name: string, entry: unknown, container: object): Error {
  if (!Array.isArray(entry)) return errors.illegalArgument(`[suggest] does not support [${name}]`);
  return errors.parsing(`unexpected token [START_ARRAY] after [${name}]`, { location: { container, key: name } });
}

/** What suggestions are run on, and how their answer shows them. */
export interface SuggestContext {
  readonly searcher: Searcher;
  readonly typedKeys: boolean;
  /** The search's `_source`, null if it is not given. */
  readonly source: SourceSpec | null;
  /** Pauses of the request. */
  readonly pause: Pause;
}

/** Runs the suggestions on one shard; returns their entries by name (`term#name` with typed keys). */
export async function runSuggest(
  { suggestions }: SuggestRequest,
  { typedKeys, ...context }: SuggestContext,
): Promise<Record<string, readonly SuggestEntry[]>> {
  const results: [string, readonly SuggestEntry[]][] = [];
  for (const { name, text: given, isRegex, suggestion } of suggestions) {
    if (given === null) throw errors.illegalArgument('The required text option is missing');
    const key = typedKeys ? `${suggestion.type}#${name}` : name;
    results.push([key, await suggestion.run({ text: given, isRegex, ...context })]);
  }
  return Object.fromEntries(results);
}
