import { useFollowed } from '../../request/use-followed.js';
import { formatDateTime } from '../../state/format.js';
import { goTo, place } from '../../state/router.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { type AnomalyRecord, detectorName, type Job, readRecords, readScores, recordSplits } from './ml-answers.js';
import { severityOf, type SwimLanes, swimLanes } from './swim-lanes.js';

/** Pause between two looks at a job that may run. */
const LOOK_MS = 5_000;
/** Spans of a lane; results and records that are read at most. */
const CELLS = 24;
const RESULTS_MAX = 10_000;
const RECORDS_MAX = 500;

/** Address of a job with a time of it; null for all. */
function go(job: Job, span: { readonly from: number; readonly to: number } | null): void {
  const query = new URLSearchParams({ job: job.id });
  if (span !== null) {
    query.set('from', String(span.from));
    query.set('to', String(span.to));
  }
  goTo(`/app/ml?${query}`);
}

/** What a job found: lanes of scores over time, and the records of a part of them. */
export function Explorer({ job }: { readonly job: Job }) {
  const results = `/_ml/anomaly_detectors/${encodeURIComponent(job.id)}/results`;
  const buckets = useFollowed(`${results}/buckets?size=${RESULTS_MAX}&sort=anomaly_score&desc=true`, LOOK_MS);
  const influencers = useFollowed(
    `${results}/influencers?size=${RESULTS_MAX}&sort=influencer_score&desc=true`,
    LOOK_MS,
  );
  return (
    <>
      <Loaded call={buckets}>
        {({ json }) => {
          const lanes = swimLanes(readScores(json, influencers.answer?.json), job.spanMs, CELLS);
          if (lanes === null) return <p>There are no results yet: they come as the job reads its data.</p>;
          return <Lanes job={job} lanes={lanes} />;
        }}
      </Loaded>
      <Records job={job} path={results} />
    </>
  );
}

/** Lanes as a table: picture and numbers in one. */
function Lanes({ job, lanes: { times, spanMs, lanes } }: { readonly job: Job; readonly lanes: SwimLanes }) {
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Scores over time, scrolls">
      <table class="lanes">
        <caption>Scores over time, 0 to 100: the greatest of each span</caption>
        <thead>
          <tr>
            <th scope="col">Of</th>
            {times.map((at) => (
              <th key={at} scope="col" class="lane-time">
                <span class="visually-hidden">{formatDateTime(at)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ name, scores }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {scores.map((score, i) => (
                <td key={times[i]} class="lane-cell">
                  {score >= 1 ? (
                    <button
                      type="button"
                      class={`severity-${severityOf(score)}`}
                      aria-label={`${name}, ${formatDateTime(times[i]!)}: ${score.toFixed(0)}, ${severityOf(score)}`}
                      onClick={() => go(job, { from: times[i]!, to: times[i]! + spanMs })}
                    >
                      {score.toFixed(0)}
                    </button>
                  ) : (
                    <span class="evidence">0</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {formatDateTime(times[0]!)} to {formatDateTime(times.at(-1)! + spanMs)}
      </p>
    </div>
  );
}

/** A number of the address; null if it is none. */
function numberIn(name: string): number | null {
  const text = place.value.query.get(name) ?? '';
  return /^\d{1,16}$/.test(text) ? Number(text) : null;
}

const numbers = (values: readonly number[] | undefined): string =>
  (values ?? []).map((value) => new Intl.NumberFormat('en', { maximumSignificantDigits: 6 }).format(value)).join(', ');

function Records({ job, path }: { readonly job: Job; readonly path: string }) {
  const [from, to] = [numberIn('from'), numberIn('to')];
  const time = from === null || to === null ? '' : `&start=${from}&end=${to}`;
  const records = useFollowed(`${path}/records?size=${RECORDS_MAX}&sort=record_score&desc=true${time}`, LOOK_MS);
  return (
    <section aria-labelledby="records">
      <h2 id="records">Anomalies</h2>
      {from !== null && to !== null && (
        <p class="row">
          {formatDateTime(from)} to {formatDateTime(to)}
          <button type="button" onClick={() => go(job, null)}>
            Show all
          </button>
        </p>
      )}
      <Loaded call={records}>{({ json }) => <RecordTable job={job} records={readRecords(json)} />}</Loaded>
    </section>
  );
}

function RecordTable({ job, records }: { readonly job: Job; readonly records: readonly AnomalyRecord[] }) {
  return (
    <DataTable
      caption={`Anomalies, ${RECORDS_MAX} at most`}
      rows={records.map((record, i) => ({ ...record, i }))}
      keyOf={({ i }) => String(i)}
      empty="Nothing unusual was found."
      columns={[
        { name: 'Time', show: ({ timestamp }) => formatDateTime(timestamp), sort: ({ timestamp }) => timestamp },
        {
          name: 'Score',
          show: ({ record_score: score }) => (
            <span class={`severity-${severityOf(score)}`}>
              {score.toFixed(0)} {severityOf(score)}
            </span>
          ),
          sort: ({ record_score: score }) => score,
          isNumber: true,
        },
        {
          name: 'Detector',
          show: (one) => {
            const detector = job.detectors[one.detector_index];
            return detector === undefined ? one.function : detectorName(detector);
          },
        },
        { name: 'Of', show: recordSplits },
        { name: 'Value', show: (one) => numbers(one.actual ?? one.causes?.[0]?.actual), isNumber: true },
        { name: 'Usual', show: (one) => numbers(one.typical ?? one.causes?.[0]?.typical), isNumber: true },
        {
          name: 'Influencers',
          show: ({ influencers = [] }) =>
            influencers
              .map((one) => `${one.influencer_field_name}: ${one.influencer_field_values.join(', ')}`)
              .join('; '),
        },
      ]}
    />
  );
}
