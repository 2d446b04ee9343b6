import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { mlRoute, MONITOR, ok, optionsOf } from './ml-route.js';

const RESULTS = '/_ml/anomaly_detectors/{job_id}/results';
const COMMON = ['from', 'size', 'start', 'end', 'sort', 'desc', 'exclude_interim'];
const KINDS = {
  buckets: [...COMMON, 'anomaly_score', 'expand', 'timestamp'],
  records: [...COMMON, 'record_score'],
  influencers: [...COMMON, 'influencer_score'],
} as const;

function list(kind: keyof typeof KINDS): Route<Services>['handle'] {
  return async (request, { ml, clock }) => {
    const { job_id: job, timestamp } = request.pathParams;
    await ml.jobs.get(job!);
    const options = optionsOf(request, [...KINDS[kind]]);
    const at = timestamp === undefined ? {} : { timestamp };
    return ok(await ml.results.list(kind, job!, { ...options, ...at }, clock.now()));
  };
}

async function categories(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { job_id: job, category_id: category } = request.pathParams;
  await ml.jobs.get(job!);
  const options = optionsOf(request, ['from', 'size', 'partition_field_value']);
  return ok(await ml.results.categories(job!, category ?? null, options));
}

const OVERALL = ['top_n', 'bucket_span', 'overall_score', 'exclude_interim', 'start', 'end', 'allow_no_match'];

async function overall(request: RestRequest, { ml, clock }: Services): Promise<RestResponse> {
  const options = optionsOf(request, OVERALL);
  const allows =
    options['allow_no_match'] === undefined || [true, 'true', ''].includes(options['allow_no_match'] as string);
  const jobs = await ml.jobs.find(request.pathParams['job_id']!, allows);
  const spans = jobs.map(({ id, config }) => ({ id, spanS: config.spanS }));
  const longest = Math.max(1, ...spans.map(({ spanS }) => spanS));
  const given = options['bucket_span'];
  const spanS = given === undefined ? longest : parseTimeValue(String(given), 'bucket_span') / 1000;
  if (spanS < longest)
    throw errors.illegalArgument(
      `Param [bucket_span] [${String(given)}] must be greater or equal to the longest bucket_span [${longest}s]`,
    );
  return ok(await ml.results.overall(spans, options, spanS, clock.now()));
}

const BOTH = ['GET', 'POST'] as const;

export const routes: readonly Route<Services>[] = [
  ...[`${RESULTS}/buckets`, `${RESULTS}/buckets/{timestamp}`].map((path) =>
    mlRoute(
      BOTH,
      path,
      'get_buckets',
      `${MONITOR}job/results/buckets/get`,
      path.endsWith('{timestamp}') ? KINDS.buckets.filter((name) => name !== 'timestamp') : KINDS.buckets,
      list('buckets'),
      'optional',
    ),
  ),
  mlRoute(
    BOTH,
    `${RESULTS}/records`,
    'get_records',
    `${MONITOR}job/results/records/get`,
    KINDS.records,
    list('records'),
    'optional',
  ),
  mlRoute(
    BOTH,
    `${RESULTS}/influencers`,
    'get_influencers',
    `${MONITOR}job/results/influencers/get`,
    KINDS.influencers,
    list('influencers'),
    'optional',
  ),
  ...[`${RESULTS}/categories`, `${RESULTS}/categories/{category_id}`].map((path) =>
    mlRoute(
      BOTH,
      path,
      'get_categories',
      `${MONITOR}job/results/categories/get`,
      ['from', 'size', 'partition_field_value'],
      categories,
      'optional',
    ),
  ),
  mlRoute(
    BOTH,
    `${RESULTS}/overall_buckets`,
    'get_overall_buckets',
    `${MONITOR}job/results/overall_buckets/get`,
    OVERALL,
    overall,
    'optional',
  ),
];
