import type { JsonObject } from '@shoal/json';
import { notify } from '../audit.js';
import { readAlias } from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import { removeAnnotations } from '../results/annotations.js';
import type { ModelSnapshots } from './model-snapshots.js';
import type { StoredJob } from './stored-job.js';

const DAY_MS = 86_400_000;
const SNAPSHOTS_MAX = 1000;
const RESULT_TYPES = ['bucket', 'record', 'influencer', 'model_plot', 'bucket_influencer'];
const FORECAST_TYPES = ['model_forecast', 'model_forecast_request_stats'];

/**
 * Deletes what jobs need not keep any longer: results and snapshots older than their retention, counted from the newest
 * one as in 8.12, and forecasts that have expired.
 */
export async function removeExpired(
  doors: MlDoors,
  snapshots: ModelSnapshots,
  jobs: readonly StoredJob[],
): Promise<void> {
  const { clock, documents } = doors;
  for (const { id, config } of jobs) {
    const alias = readAlias(id);
    const remove = (filter: readonly JsonObject[]): Promise<unknown> =>
      documents.calls.deleteMatching(alias, { bool: { filter: [{ term: { job_id: id } }, ...filter] } });
    const newestMs = await newest(documents, alias, id);
    if (newestMs === null) continue;
    if (config.resultsRetentionDays !== null) {
      const beforeMs = newestMs - config.resultsRetentionDays * DAY_MS;
      await remove([{ terms: { result_type: RESULT_TYPES } }, { range: { timestamp: { lt: beforeMs } } }]);
      await removeAnnotations(doors, id, { toMs: beforeMs });
      await notify(doors, id, 'info', `Deleted results prior to ${beforeMs}`);
    }
    const isOver = { range: { forecast_expiry_timestamp: { lt: clock.now() } } };
    const expired = await documents.search(alias, { size: SNAPSHOTS_MAX, query: { bool: { filter: [isOver] } } });
    const ids = [...new Set(expired.hits.map(({ source }) => String(source['forecast_id'])))];
    if (ids.length > 0) await remove([{ terms: { result_type: FORECAST_TYPES } }, { terms: { forecast_id: ids } }]);
    await removeSnapshots(snapshots, id, config.snapshotRetentionDays);
  }
}

async function newest(documents: MlDoors['documents'], alias: string, id: string): Promise<number | null> {
  const { aggregations } = await documents.search(alias, {
    size: 0,
    query: { term: { job_id: id } },
    aggs: { newest: { max: { field: 'timestamp' } } },
  });
  const found = aggregations['newest'] as { value: number | null } | undefined;
  return found?.value ?? null;
}

async function removeSnapshots(snapshots: ModelSnapshots, job: string, days: number): Promise<void> {
  const { model_snapshots: all } = (await snapshots.list(job, null, { size: SNAPSHOTS_MAX })) as unknown as {
    model_snapshots: readonly { snapshot_id: string; timestamp: number; retain: boolean }[];
  };
  const newestMs = Math.max(...all.map(({ timestamp }) => timestamp));
  // The newest one may be what the job goes on from: it stays.
  const old = all.filter(({ timestamp, retain }) => !retain && timestamp < newestMs - days * DAY_MS);
  for (const { snapshot_id: id } of old) await snapshots.remove(job, id);
}
