import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { text } from '../parse/options.js';
import type { SourceSpec } from '../fetch/fetch-spec.js';
import type { Searcher } from '../searcher.js';
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
  if (!isPlainObject(entry))
    throw errors.illegalArgument(`[suggest] does not support [${name}]`, { location: { container: body, key: name } });
  let given: string | null = null;
  let isRegex = false;
  let suggestion: ParsedSuggestion | null = null;
  for (const key of Object.keys(entry)) {
    const value = entry[key];
    if (key === 'text' || key === 'prefix' || key === 'regex') {
      given = text(value, { type: 'suggest', container: entry, key });
      isRegex = key === 'regex';
    } else {
      const suggester = SUGGESTERS.get(key);
      if (!suggester || !isPlainObject(value))
        throw errors.namedObjectNotFound(`unknown field [${key}]`, { location: { container: entry, key } });
      suggestion = suggester.parse(value, entry);
    }
  }
  if (!suggestion) throw errors.illegalArgument('missing suggestion object');
  return { name, text: given ?? global, isRegex, suggestion };
}

/**
 * Runs the suggestions on one shard; returns their entries by name (`term#name` with typed keys). `source` is the
 * search's `_source`, null if it is not given.
 */
export function runSuggest(
  request: SuggestRequest,
  searcher: Searcher,
  typedKeys: boolean,
  source: SourceSpec | null,
): Record<string, readonly SuggestEntry[]> {
  const results: [string, readonly SuggestEntry[]][] = request.suggestions.map(
    ({ name, text: given, isRegex, suggestion }) => {
      if (given === null) throw errors.illegalArgument('The required text option is missing');
      const key = typedKeys ? `${suggestion.type}#${name}` : name;
      return [key, suggestion.run({ text: given, isRegex, searcher, source })];
    },
  );
  return Object.fromEntries(results);
}
