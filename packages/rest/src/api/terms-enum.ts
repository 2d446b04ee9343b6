import { OPEN_ONLY } from '@shoal/state';
import { validationError } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { compareTerms } from '@shoal/codec';
import { parseTimeValue } from '@shoal/values';
import { INDICES_PARAMETERS, selectTargets } from '../admin/index-options.js';
import { shardsHeader } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

interface ShardTerms {
  readonly terms: readonly string[];
  readonly complete: boolean;
}

const KEYS = ['field', 'string', 'size', 'timeout', 'case_insensitive', 'search_after'];
const SIZE_DEFAULT = 10;
const SIZE_MAX = 10_000;

function bodyOf(request: RestRequest): Readonly<Record<string, unknown>> {
  const body = request.json();
  if (!isPlainObject(body)) throw errors.parse('request body or source parameter is required');
  for (const key of Object.keys(body)) {
    if (!KEYS.includes(key))
      throw errors.xContentParse(`[terms_enum_request] unknown field [${key}]`, {
        location: { container: body, key, at: 'key' },
      });
  }
  if (body['timeout'] !== undefined) parseTimeValue(String(body['timeout']), 'timeout');
  return body;
}

function sizeOf(body: Readonly<Record<string, unknown>>): number {
  const size = Number(body['size'] ?? SIZE_DEFAULT);
  if (!(size > 0 && size <= SIZE_MAX))
    throw validationError([size > SIZE_MAX ? `size must be <= ${SIZE_MAX}` : 'size must be > 0']);
  return size;
}

async function termsEnum(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = bodyOf(request);
  if (typeof body['field'] !== 'string') throw validationError(['field cannot be null']);
  const size = sizeOf(body);
  const targets = new Map(selectTargets(request, services, OPEN_ONLY).map((target) => [target.index, target.limits]));
  const answer = await services.coordinator.broadcast(
    [...targets.keys()],
    'terms_enum',
    { ...body, size },
    'one',
    (index) => targets.get(index) ?? null,
  );
  const parts = answer.shards.map((shard) => shard.body as ShardTerms);
  const terms = [...new Set(parts.flatMap((part) => part.terms))].sort(compareTerms);
  const complete = terms.length <= size && parts.every((part) => part.complete) && answer.failed === 0;
  return { status: 200, json: { _shards: shardsHeader(answer), terms: terms.slice(0, size), complete } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/{index}/_terms_enum',
    name: 'terms_enum',
    body: 'required',
    privilege: 'indices:data/read/xpack/termsenum/list',
    parameters: INDICES_PARAMETERS,
    handle: termsEnum,
  },
];
