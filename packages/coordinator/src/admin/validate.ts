import { type IndexMetadata, type SearchTarget, searchTargets } from '@shoal/state';
import { type ApiError, type WireError, decodeError, errors } from '@shoal/errors';
import { ACTIONS, accessOf, limitsBytes } from '../access.js';
import { validationError } from '../bulk/validate-operation.js';
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
  { index, filter, limits }: SearchTarget,
  shard: number,
  query: unknown,
): Promise<Verdict> {
  try {
    const answer = (await callShard(
      context,
      index,
      shard,
      'validate',
      { query, filter, nowMs: context.clock.now() },
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
    ...(error === null ? { explanation: verdict.explanation } : { error: shardErrorText(error, index) }),
  };
}

/** As 8.12's exceptions print themselves: with the index if they have a cause. */
function shardErrorText(error: ApiError, index: IndexMetadata): string {
  return error.causedBy === undefined ? javaErrorText(error) : `[${index.name}/${index.uuid}] ${javaErrorText(error)}`;
}

const json = (body: Record<string, unknown>): JsonAnswer => ({ status: 200, chunks: [encodeJson(body)] });

function unparsable(error: ApiError, options: ValidateOptions): JsonAnswer {
  return json({ valid: false, ...(options.explain ? { error: javaErrorText(error) } : {}) });
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
    query =
      request.overrides['query'] ??
      parseQueryOnly(await resolveTermsLookups(context, request, call), clusterParseContext(context));
  } catch (error) {
    return unparsable(context.apiError(error), options);
  }
  // Without a body all documents are asked for; a body has to have a query.
  if (query === null && request.body.length > 0) throw validationError(['query cannot be null']);
  query ??= { match_all: {} };
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
  const asked = targets
    .flatMap((target) =>
      Array.from({ length: options.allShards ? target.index.numberOfShards : 1 }, (_, shard) => ({ target, shard })),
    )
    .sort((a, b) => a.shard - b.shard);
  const verdicts = await Promise.all(asked.map(({ target, shard }) => askShard(context, target, shard, query)));
  const shown = options.explain || options.rewrite || options.allShards;
  const body = {
    _shards: { total: verdicts.length, successful: verdicts.length, failed: 0 },
    valid: verdicts.every((verdict) => verdict.error === null),
    ...(shown ? { explanations: verdicts.map((verdict) => explanationJson(verdict, options)) } : {}),
  };
  return json(body);
}
