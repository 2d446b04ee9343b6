import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { regexpFlags } from '../automata/regexp-flags.js';
import {
  booleanField,
  type DeclaredFields,
  numberField,
  objectField,
  readDeclared,
  stringField,
} from '../parse/declared.js';
import { parseFuzziness } from '../parse/fuzziness.js';
import { boolean, int, text } from '../parse/options.js';
import { type ContextQuery, parseContextQuery } from './completion-contexts.js';
import { fieldOption, positiveSize } from './suggester.js';

/** Edits allowed in a prefix. */
export interface FuzzyPrefix {
  readonly edits: number;
  /** Shorter prefixes must match exactly. */
  readonly minLength: number;
  /** Number of first characters that must match exactly. */
  readonly prefixLength: number;
  readonly transpositions: boolean;
}

/** Options of a regular expression. */
export interface RegexOptions {
  readonly flags: number;
  readonly statesMax: number;
}

/** Options of a completion suggester, with their defaults. */
export interface CompletionOptions {
  readonly field: string;
  readonly analyzer: string | null;
  readonly size: number;
  readonly shardSize: number | null;
  readonly skipsDuplicates: boolean;
  readonly fuzzy: FuzzyPrefix | null;
  readonly regex: RegexOptions;
  readonly contexts: ContextQuery | null;
}

const FUZZY_FIELDS = {
  fuzziness: numberField((value) => editsOf(String(value))),
  min_length: numberField((value, place) => notNegative(int(value, place), 'fuzzyMinLength')),
  prefix_length: numberField((value, place) => notNegative(int(value, place), 'fuzzyPrefixLength')),
  transpositions: booleanField(boolean),
  unicode_aware: booleanField(boolean),
  max_determinized_states: numberField(int),
};

const STATES_MAX = 10_000;

const REGEX_FIELDS = {
  flags: numberField((value) => (typeof value === 'string' ? regexpFlags(value) : Number(value))),
  flags_value: numberField(int),
  max_determinized_states: numberField((value, place) => notNegative(int(value, place), 'maxDeterminizedStates')),
};

const FIELDS = {
  field: stringField(text),
  analyzer: stringField(text),
  size: numberField((value, place) => positiveSize(int(value, place))),
  shard_size: numberField(int),
  skip_duplicates: booleanField(boolean),
  fuzzy: { tokens: ['START_OBJECT', 'VALUE_BOOLEAN'], read: fuzzyOf },
  regex: objectField(regexOf),
  contexts: objectField(parseContextQuery),
};

/** Parses the options of a completion suggester. */
export function parseCompletion(body: JsonObject): CompletionOptions {
  const given: DeclaredFields<typeof FIELDS> = readDeclared('completion', body, FIELDS);
  if (given.field === undefined) throw errors.parse('the required field option [field] is missing');
  return {
    field: fieldOption(given.field),
    analyzer: given.analyzer ?? null,
    size: given.size ?? 5,
    shardSize: given.shard_size ?? null,
    skipsDuplicates: given.skip_duplicates ?? false,
    fuzzy: given.fuzzy ?? null,
    regex: given.regex ?? regexOf({}),
    contexts: given.contexts ?? null,
  };
}

function fuzzyOf(value: unknown): FuzzyPrefix | null {
  if (value === false) return null;
  const given = readDeclared('fuzzy', isPlainObject(value) ? value : {}, FUZZY_FIELDS);
  return {
    edits: given.fuzziness ?? 1,
    minLength: given.min_length ?? 3,
    prefixLength: given.prefix_length ?? 1,
    transpositions: given.transpositions ?? true,
  };
}

/** Length that `AUTO` assumes of a prefix, whatever its own length is. */
const AUTO_LENGTH = 5;
const editsOf = (fuzziness: string): number => parseFuzziness(fuzziness)('x'.repeat(AUTO_LENGTH));

function regexOf(value: unknown): RegexOptions {
  const given = readDeclared('regex', value as JsonObject, REGEX_FIELDS);
  return {
    flags: given.flags ?? given.flags_value ?? regexpFlags('ALL'),
    statesMax: given.max_determinized_states ?? STATES_MAX,
  };
}

function notNegative(value: number, name: string): number {
  if (value >= 0) return value;
  throw errors.illegalArgument(`${name} must not be negative`);
}
