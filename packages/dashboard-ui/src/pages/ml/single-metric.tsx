import { useEffect, useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { Failure } from '../../widgets/failure.js';
import { Loaded } from '../../widgets/loaded.js';
import { isMeasure, readSeries, type SeriesPoint, seriesBody } from './job-body.js';
import { type AnomalyRecord, type Detector, detectorName, type Job, readRecords } from './ml-answers.js';
import { SeriesChart } from './series-chart.js';

interface Feed {
  readonly job_id: string;
  readonly indices: readonly string[];
}

/** Values of a chart at most: more buckets become one value. */
const POINTS_MAX = 500;
const RECORDS_MAX = 1_000;

/** One series of a job with its anomalies, as its datafeed reads it. */
export function SingleMetric({ job }: { readonly job: Job }) {
  const feeds = useCall('/_ml/datafeeds');
  const [at, setAt] = useState(0);
  const [value, setValue] = useState('');
  const detector = job.detectors[at];
  return (
    <>
      <div class="row">
        <label class="field">
          Detector
          <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
            {job.detectors.map((one, i) => (
              <option key={i} value={i}>
                {detectorName(one)}
              </option>
            ))}
          </select>
        </label>
        {detector !== undefined && splitOf(detector) !== null && (
          <label class="field">
            {`Value of ${splitOf(detector)}`}
            <input value={value} spellcheck={false} onChange={(event) => setValue(event.currentTarget.value)} />
          </label>
        )}
        <Forecast job={job} />
      </div>
      <Loaded call={feeds}>
        {({ json }) => {
          const { datafeeds = [] } = (json ?? {}) as { readonly datafeeds?: readonly Feed[] };
          const feed = datafeeds.find(({ job_id: id }) => id === job.id);
          if (feed === undefined) return <p>The job has no datafeed: where its documents are is not known.</p>;
          if (detector === undefined || !isMeasure(detector.function))
            return <p>{`There is no chart for ${detector?.function ?? 'this detector'}.`}</p>;
          return <Series job={job} at={at} detector={detector} indices={feed.indices.join(',')} value={value} />;
        }}
      </Loaded>
    </>
  );
}

const splitOf = ({ partition_field_name: partition, by_field_name: by }: Detector): string | null =>
  partition ?? by ?? null;

/** Props of the series. */
interface SeriesProps {
  readonly job: Job;
  /** Which detector. */
  readonly at: number;
  readonly detector: Detector;
  readonly indices: string;
  /** Value of the field that the detector is split by; empty for all. */
  readonly value: string;
}

function Series({ job, at, detector, indices, value }: SeriesProps) {
  const [points, setPoints] = useState<readonly SeriesPoint[] | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  const records = useCall(
    `/_ml/anomaly_detectors/${encodeURIComponent(job.id)}/results/records` +
      `?size=${RECORDS_MAX}&sort=record_score&desc=true`,
  );
  const split = splitOf(detector);
  useEffect(() => {
    const abort = new AbortController();
    const found = (answer: Answer): void => {
      setFailure(answer.status === 200 ? null : answer);
      setPoints(answer.status === 200 ? readSeries(answer.json) : null);
    };
    readPoints(job, detector, indices, split === null ? '' : value, abort.signal).then(found, () => undefined);
    return () => abort.abort();
  }, [job.id, at, indices, value, looks]);
  if (failure !== null)
    return <Failure answer={failure} request={`POST /${indices}/_search`} again={() => setLooks(looks + 1)} />;
  if (points === null) return <p>Loading</p>;
  const isOf = (record: AnomalyRecord): boolean =>
    record.detector_index === at &&
    (value === '' || [record.partition_field_value, record.by_field_value].includes(value));
  return (
    <SeriesChart
      title={value === '' ? detectorName(detector) : `${detectorName(detector)}, ${value}`}
      points={points}
      records={readRecords(records.answer?.json).filter(isOf)}
    />
  );
}

/** Reads a series in steps of whole buckets of the job. */
async function readPoints(
  { timeField, spanMs }: Job,
  detector: Detector,
  indices: string,
  value: string,
  signal: AbortSignal,
): Promise<Answer> {
  const path = `/${encodeURIComponent(indices)}/_search`;
  const ends = { from: { min: { field: timeField } }, to: { max: { field: timeField } } };
  const span = await clusterCall('POST', path, { body: { size: 0, aggs: ends }, signal });
  if (span.status !== 200) return span;
  const { from, to } =
    ((span.json ?? {}) as { readonly aggregations?: Record<string, { readonly value: number | null }> }).aggregations ??
    {};
  const buckets = Math.max(1, Math.ceil(((to?.value ?? 0) - (from?.value ?? 0)) / spanMs));
  const stepMs = Math.ceil(buckets / POINTS_MAX) * spanMs;
  const split = splitOf(detector);
  const body = seriesBody({
    timeField,
    measure: isMeasure(detector.function) ? detector.function : 'count',
    field: detector.field_name ?? '',
    only: value === '' || split === null ? null : { field: split, value },
    interval: { fixed_interval: `${stepMs / 1_000}s` },
  });
  return clusterCall('POST', path, { body, signal });
}

/** Lets the job say what comes. */
function Forecast({ job }: { readonly job: Job }) {
  const [days, setDays] = useState('1');
  const run = async (): Promise<void> => {
    const path = `/_ml/anomaly_detectors/${encodeURIComponent(job.id)}/_forecast`;
    const answer = await clusterCall('POST', path, { body: { duration: `${days}d` } });
    message.value = answer.status === 200 ? `The forecast of ${job.id} is made.` : reasonOf(answer);
  };
  return (
    <>
      <label class="field">
        Days to forecast
        <input type="number" min="1" max="3650" value={days} onInput={(event) => setDays(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={() => void run()}>
        Forecast
      </button>
    </>
  );
}
