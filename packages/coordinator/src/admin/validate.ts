import { type IndexMetadata, searchTargets } from '@shoal/state';
import { type ApiError, type WireError, decodeError, errors } from '@shoal/errors';
import type { AccessLimits } from '@shoal/mapping';
import { ACTIONS, accessOf, limitsBytes } from '../access.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { encodeJson } from '../json-bytes.js';
import { clusterParseContext } from '../search/search.js';
import { resolveTermsLookups } from '../search/rewrite/terms-lookup.js';
import { parseQueryOnly } from '../search/parse/query-only-body.js';
import type { SearchRequest } from '../search/parse/search-request.js';
import { callShard } from './broadcast.js';
import { javaErrorText } from './java-error-text.js';
import type { ValidateOptions } from './admin-requests.js';

/** Answer of a shard to the call `validate`. */
interface ShardVerdict {
  readonly explanation?: string;
  readonly error?: WireError;
}

interface Verdict {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly explanation: string | null;
  readonly error: ApiError | null;
}

async function askShard(
  context: CoordinatorContext,
  index: IndexMetadata,
  shard: number,
  query: unknown,
  limits: AccessLimits | null,
): Promise<Verdict> {
  try {
    const answer = (await callShard(
      context,
      index,
      shard,
      'validate',
      { query, nowMs: context.clock.now() },
      limitsBytes(limits, context.clock.now()),
    )) as ShardVerdict;
    return {
      index,
      shard,
      explanation: answer.explanation ?? null,
      error: answer.error ? decodeError(answer.error) : null,
    };
  } catch (error) {
    return { index, shard, explanation: null, error: context.apiError(error) };
  }
}

function explanationJson(verdict: Verdict, options: ValidateOptions): Record<string, unknown> {
  const { index, error } = verdict;
  return {
    index: index.name,
    ...(options.allShards ? { shard: verdict.shard } : {}),
    valid: error === null,
    ...(error === null
      ? { explanation: verdict.explanation }
      : { error: `[${index.name}/${index.uuid}] ${javaErrorText(error)}` }),
  };
}

const json = (body: Record<string, unknown>): JsonAnswer => ({ status: 200, chunks: [encodeJson(body)] });

function unparsable(error: ApiError, options: ValidateOptions): JsonAnswer {
  const shown = options.explain || options.rewrite;
  return json({ valid: false, ...(shown ? { error: javaErrorText(error) } : {}) });
}

/**
 * Returns the answer of `_validate/query`: whether a query can be parsed and planned on the indices, and its rewritten
 * form.
 */
export async function validate(
  context: CoordinatorContext,
  request: SearchRequest,
  options: ValidateOptions,
  call: CallContext,
): Promise<JsonAnswer> {
  let query: unknown;
  try {
    query = request.overrides['query'] ??
      parseQueryOnly(await resolveTermsLookups(context, request, call), clusterParseContext(context)) ?? {
        match_all: {},
      };
  } catch (error) {
    return unparsable(context.apiError(error), options);
  }
  const targets = searchTargets(
    context.cluster.state(),
    request.target.names,
    request.target.options,
    null,
    accessOf(call, ACTIONS.validate),
    context.clock.now(),
  );
  if (options.rewrite && targets.some(({ limits }) => limits !== null && limits.queries.length > 0)) {
    throw errors.security("Validate with rewrite isn't supported if document level security is enabled", {
      status: 400,
    });
  }
  const asked = targets.flatMap(({ index, limits }) =>
    options.allShards
      ? Array.from({ length: index.numberOfShards }, (_, shard) => ({ index, shard, limits }))
      : [{ index, shard: 0, limits }],
  );
  const verdicts = await Promise.all(
    asked.map(({ index, shard, limits }) => askShard(context, index, shard, query, limits)),
  );
  const shown = options.explain || options.rewrite;
  const body = {
    _shards: { total: verdicts.length, successful: verdicts.length, failed: 0 },
    valid: verdicts.every((verdict) => verdict.error === null),
    ...(shown ? { explanations: verdicts.map((verdict) => explanationJson(verdict, options)) } : {}),
  };
  return json(body);
}
