import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { formatCount, formatDateTime } from '../../state/format.js';
import { usePolling } from '../../state/polling.js';
import { addressOf, goTo } from '../../state/router.js';
import { message, reloads } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { type Column, DataTable } from '../../widgets/data-table.js';
import { Menu } from '../../widgets/menu.js';

/** Pause between two looks at jobs that run. */
const LOOK_MS = 3_000;

interface JobStats {
  readonly job_id: string;
  readonly state: string;
  readonly data_counts?: { readonly processed_record_count?: number; readonly latest_record_timestamp?: number };
  readonly model_size_stats?: { readonly memory_status?: string };
}

interface FeedStats {
  readonly datafeed_id: string;
  readonly state: string;
  readonly timing_stats?: { readonly job_id?: string };
}

interface JobRow extends JobStats {
  readonly feed: FeedStats | null;
}

const jobPath = (id: string): string => `/_ml/anomaly_detectors/${encodeURIComponent(id)}`;
const feedPath = (id: string): string => `/_ml/datafeeds/${encodeURIComponent(id)}`;

/** All jobs with what can be done to each; follows those that run. */
export function JobList() {
  const [rows, setRows] = useState<readonly JobRow[] | null>(null);
  const [problem, setProblem] = useState('');
  const [looks, setLooks] = useState(0);
  const [deleted, setDeleted] = useState<string | null>(null);
  usePolling(
    async (signal) => {
      const options = { signal, isPolling: true };
      const jobs = await clusterCall('GET', '/_ml/anomaly_detectors/_stats', options);
      const feeds = await clusterCall('GET', '/_ml/datafeeds/_stats', options);
      const failed = [jobs, feeds].find(({ status }) => status !== 200);
      setProblem(failed === undefined ? '' : reasonOf(failed));
      if (failed === undefined) setRows(rowsOf(jobs.json, feeds.json));
    },
    LOOK_MS,
    [reloads.value, looks],
  );
  const call = async (method: string, path: string): Promise<void> => {
    const answer = await clusterCall(method, path);
    message.value = answer.status === 200 ? 'Done.' : reasonOf(answer);
    setLooks((count) => count + 1);
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => goTo('/app/ml?new=true')}>
          Create job
        </button>
      </div>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {rows === null && problem === '' && <p>Loading</p>}
      {rows !== null && (
        <DataTable
          caption="Jobs"
          rows={rows}
          keyOf={(row) => row.job_id}
          empty="There is no job yet. A job learns what is usual in a series, and tells what is not."
          columns={columnsOf(call, setDeleted)}
        />
      )}
      {deleted !== null && (
        <ConfirmDelete
          name={deleted}
          lost="Its model and its results are lost."
          call={`DELETE ${jobPath(deleted)}?force=true`}
          run={() => clusterCall('DELETE', `${jobPath(deleted)}?force=true`)}
          onClose={() => setDeleted(null)}
          onDone={() => setLooks((count) => count + 1)}
        />
      )}
    </>
  );
}

function rowsOf(jobs: unknown, feeds: unknown): readonly JobRow[] {
  const { jobs: stats = [] } = (jobs ?? {}) as { readonly jobs?: readonly JobStats[] };
  const { datafeeds = [] } = (feeds ?? {}) as { readonly datafeeds?: readonly FeedStats[] };
  return stats.map((job) => ({
    ...job,
    feed: datafeeds.find(({ timing_stats: of }) => of?.job_id === job.job_id) ?? null,
  }));
}

function columnsOf(
  call: (method: string, path: string) => Promise<void>,
  askToDelete: (id: string) => void,
): readonly Column<JobRow>[] {
  return [
    {
      name: 'Name',
      show: ({ job_id: id }) => <a href={addressOf(`/app/ml?job=${encodeURIComponent(id)}`)}>{id}</a>,
      sort: ({ job_id: id }) => id,
    },
    { name: 'State', show: ({ state }) => state, sort: ({ state }) => state },
    { name: 'Datafeed', show: ({ feed }) => feed?.state ?? '–' },
    {
      name: 'Records',
      show: ({ data_counts: counts }) => formatCount(counts?.processed_record_count ?? 0),
      sort: ({ data_counts: counts }) => counts?.processed_record_count ?? 0,
      isNumber: true,
    },
    {
      name: 'Newest record',
      show: ({ data_counts: counts }) =>
        counts?.latest_record_timestamp === undefined ? '–' : formatDateTime(counts.latest_record_timestamp),
    },
    { name: 'Memory', show: ({ model_size_stats: size }) => size?.memory_status ?? '–' },
    {
      name: 'Actions',
      show: ({ job_id: id, state, feed }) => (
        <Menu
          label={`Actions for ${id}`}
          shown="Actions"
          items={[
            { name: 'Anomalies', act: () => goTo(`/app/ml?job=${encodeURIComponent(id)}`) },
            state === 'opened'
              ? { name: 'Close', act: () => void call('POST', `${jobPath(id)}/_close`) }
              : { name: 'Open', act: () => void call('POST', `${jobPath(id)}/_open`) },
            ...(feed === null
              ? []
              : feed.state === 'started'
                ? [{ name: 'Stop datafeed', act: () => void call('POST', `${feedPath(feed.datafeed_id)}/_stop`) }]
                : [{ name: 'Start datafeed', act: () => void call('POST', `${feedPath(feed.datafeed_id)}/_start`) }]),
            { name: 'Delete', act: () => askToDelete(id) },
          ]}
        />
      ),
    },
  ];
}
