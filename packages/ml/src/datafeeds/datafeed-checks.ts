import type { OwnCalls } from '@shoal/coordinator';
import { errors, toApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { JobConfig } from '../jobs/job-config.js';
import { timeText } from '../jobs/time-text.js';
import { type DatafeedConfig, histogramInterval } from './datafeed-config.js';

/** Buckets that are counted again for late documents, at most. */
const CHECKED_BUCKETS_MAX = 10_000;

/**
 * Throws 8.12's errors for a datafeed that a call makes or changes: for a query or aggregations that no search takes,
 * and for what does not fit its job. `job` is null for one that is made later.
 */
export function checkDatafeed(config: DatafeedConfig, job: JobConfig | null, calls: Pick<OwnCalls, 'check'>): void {
  checkParses('query', { query: config.query }, calls);
  if (config.aggregations !== null) checkParses('aggregations', { aggs: config.aggregations }, calls);
  if (job === null) return;
  if (config.aggregations !== null) checkAggregations(config, config.aggregations, job);
  checkWindow(config, job);
}

function checkParses(name: 'query' | 'aggregations', body: JsonObject, calls: Pick<OwnCalls, 'check'>): void {
  try {
    calls.check(body);
  } catch (error) {
    const what = name === 'query' ? 'Datafeed query is not parsable' : 'Datafeed aggregations are not parsable';
    const cause = errors.status(what, { status: 400, cause: toApiError(error) });
    throw errors.xContentParse(`[datafeed_config] failed to parse field [${name}]`, { cause });
  }
}

function checkAggregations({ frequencyMs }: DatafeedConfig, aggregations: JsonObject, job: JobConfig): void {
  if (job.summaryCount === null)
    throw errors.status(
      'A job configured with a datafeed with aggregations must set summary_count_field_name; ' +
        'use doc_count or suggested',
      { status: 400 },
    );
  const intervalMs = histogramInterval(aggregations);
  if (intervalMs === null || !(intervalMs > 0))
    throw errors.status('A date_histogram (or histogram) aggregation is required', { status: 400 });
  const spanMs = 1000 * job.spanS;
  const [interval, span] = [`${intervalMs}ms`, `${spanMs}ms`];
  if (intervalMs > spanMs)
    throw errors.status(`Aggregation interval [${interval}] must be less than or equal to the bucket_span [${span}]`, {
      status: 400,
    });
  if (spanMs % intervalMs !== 0)
    throw errors.status(`Aggregation interval [${interval}] must be a divisor of the bucket_span [${span}]`, {
      status: 400,
    });
  if (frequencyMs !== null && frequencyMs % intervalMs !== 0)
    throw errors.status(
      `Datafeed frequency [${timeText(frequencyMs)}] must be a multiple of the aggregation interval [${interval}]`,
      { status: 400 },
    );
}

function checkWindow({ checkWindowMs }: DatafeedConfig, { spanS }: JobConfig): void {
  if (checkWindowMs === null || checkWindowMs === 0) return;
  const [window, span] = [timeText(checkWindowMs), timeText(1000 * spanS)];
  if (checkWindowMs < 1000 * spanS)
    throw errors.status(
      `delayed_data_check_config: check_window [${window}] must be greater than the bucket_span [${span}]`,
      { status: 400 },
    );
  if (checkWindowMs > CHECKED_BUCKETS_MAX * 1000 * spanS)
    throw errors.status(
      `delayed_data_check_config: check_window [${window}] must be less than 10,000x the bucket_span [${span}]`,
      { status: 400 },
    );
}
