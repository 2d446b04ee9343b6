import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { float, multipleFields, readOptions, unsupportedOption } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';
import { tokenPlan } from './token-plan.js';
import { parsePruning, prunedTokens, type Pruning, type Tokens } from './token-pruning.js';

/** Scores documents by the sum of their weights of given tokens, in a `sparse_vector` or `rank_features` field. */
export const weightedTokens: QueryType = {
  name: 'weighted_tokens',
  parse: (body) => parse(body as JsonObject, 'weighted_tokens'),
};

/** As `weighted_tokens`: tokens are given, since no model runs that makes them of a text. */
export const textExpansion: QueryType = {
  name: 'text_expansion',
  parse: (body) => parse(body as JsonObject, 'text_expansion'),
};

/** Tokens of one query at most, as clauses of a `bool`. */
const TOKENS_MAX = 1024;

function parse(body: JsonObject, name: string): ParsedQuery {
  const [field, second] = Object.keys(body);
  if (field === undefined) throw errors.parsing(`[${name}] requires a field`, { location: { container: body } });
  if (second !== undefined) throw multipleFields(name, field, second, body);
  const given = body[field];
  if (!isPlainObject(given)) throw unsupportedOption(name, field, body);
  for (const option of ['model_id', 'model_text'])
    if (option in given)
      throw errors.illegalArgument(
        `[${name}] [${option}] is not supported: no model can run that makes tokens of texts`,
      );
  const {
    tokens,
    pruning_config: pruning = null,
    boost,
    queryName,
  } = readOptions(name, given as JsonObject, {
    tokens: (value: unknown) => readTokens(value, name, given as JsonObject),
    pruning_config: parsePruning,
  });
  if (tokens === undefined || tokens.length === 0)
    throw errors.parsing(`[${name}] requires [tokens] with at least one token`, { location: { container: given } });
  return { type: name, boost, queryName, plan: (context) => plan(field, tokens, pruning, name, context) };
}

/** Reads `{token: weight}`, or a list of such objects. */
function readTokens(value: unknown, name: string, container: JsonObject): Tokens {
  const objects: readonly unknown[] = Array.isArray(value) ? value : [value];
  const tokens: [string, number][] = [];
  for (const object of objects) {
    if (!isPlainObject(object)) throw unsupportedOption(name, 'tokens', container);
    // Counted before they are read: a client may send a million.
    const names = Object.keys(object);
    if (tokens.length + names.length > TOKENS_MAX)
      throw errors.illegalArgument(`[${name}] has [${tokens.length + names.length}] tokens, more than [${TOKENS_MAX}]`);
    for (const token of names) tokens.push([token, weightOf(object, token, name)]);
  }
  return tokens;
}

function weightOf(tokens: JsonObject, token: string, name: string): number {
  const weight = float(tokens[token], { type: name, container: tokens, key: token });
  if (weight >= 0 && Number.isFinite(weight)) return weight;
  throw errors.illegalArgument(`[${name}] weight of [${token}] must be a positive number but was [${weight}]`);
}

function plan(name: string, all: Tokens, pruning: Pruning | null, query: string, { searcher }: PlanContext): Plan {
  const type = searcher.mapping.field(name);
  if (type === null) return nonePlan('');
  if (type.keyed === undefined || !['sparse_vector', 'rank_features'].includes(type.typeName))
    throw errors.illegalArgument(
      `[${query}] query only works on [sparse_vector] and [rank_features] fields, not [${type.typeName}]`,
    );
  const tokens = pruning === null ? all : prunedTokens(all, name, pruning, searcher);
  const should = tokens.filter(([, weight]) => weight > 0).map(([token, weight]) => tokenPlan(name, token, weight));
  if (should.length === 0) return nonePlan('');
  return { kind: 'bool', must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1, boost: 1 };
}
