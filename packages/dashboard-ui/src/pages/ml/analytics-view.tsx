import { useEffect, useState } from 'preact/hooks';
import { hitsOf, hitValues, joinedText, plainText, prettyJson, rawAt, rawElements, readHit } from '@shoal/values';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { useFollowed } from '../../request/use-followed.js';
import { addressOf } from '../../state/router.js';
import { DataTable } from '../../widgets/data-table.js';
import { Facts } from '../../widgets/facts.js';
import { Loaded } from '../../widgets/loaded.js';
import {
  type Analysis,
  type AnalysisStats,
  evaluationBody,
  phaseText,
  readAnalyses,
  readFigures,
  readImportances,
  readStats,
} from './analytics.js';
import { analysisPath } from './analytics-list.js';

const LOOK_MS = 2_000;
const OUTLIERS_SHOWN = 20;
const CELL_CHARS_MAX = 300;

const numberText = (value: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 5 }).format(value);

/** One analysis: how far it is, what it found, and how good that is. */
export function AnalyticsView({ id }: { readonly id: string }) {
  const found = useCall(analysisPath(id));
  const stats = useFollowed(`${analysisPath(id)}/_stats`, LOOK_MS);
  const now = readStats(stats.answer?.json).get(id) ?? null;
  return (
    <>
      <p>
        <a href={addressOf('/app/ml?tab=analytics')}>Data frame analytics</a>
      </p>
      <h1 tabIndex={-1}>{id}</h1>
      <Loaded call={found}>
        {({ json, text }) => {
          const [analysis] = readAnalyses(json);
          if (analysis === undefined) return <p>There is no such analysis.</p>;
          return (
            <>
              <Overview analysis={analysis} stats={now} />
              {now !== null && phaseText(now) === 'done' && <Results analysis={analysis} />}
              <details>
                <summary>Definition</summary>
                <pre tabIndex={0} aria-label="Definition of the analysis">
                  {prettyJson(rawElements(rawAt(text, ['data_frame_analytics']) ?? '[]')[0] ?? '{}')}
                </pre>
              </details>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Props of the overview. */
interface OverviewProps {
  readonly analysis: Analysis;
  readonly stats: AnalysisStats | null;
}

function Overview({ analysis: { kind, source, dest, field }, stats }: OverviewProps) {
  return (
    <>
      <Facts
        facts={[
          ['Kind', kind.replaceAll('_', ' ')],
          ['Documents of', source.join(', ')],
          ['Results in', <a href={addressOf(`/app/discover?i=${encodeURIComponent(dest)}`)}>{dest}</a>],
          ...(field === null ? [] : [['Predicts', field] as const]),
          ['State', stats?.state ?? 'Loading'],
          ['Progress', (stats === null ? '' : phaseText(stats)) || 'not begun'],
        ]}
      />
      {stats?.failure_reason !== undefined && (
        <p role="alert" class="problem">
          {stats.failure_reason}
        </p>
      )}
    </>
  );
}

function Results({ analysis }: { readonly analysis: Analysis }) {
  return analysis.field === null ? (
    <Outliers analysis={analysis} />
  ) : (
    <>
      <Evaluation analysis={analysis} />
      <Importances id={analysis.id} />
    </>
  );
}

/** Reads a path with a body, once for each. */
function useAsked(path: string, body: string): Answer | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    clusterCall('POST', path, { body, signal: abort.signal }).then(setAnswer, () => undefined);
    return () => abort.abort();
  }, [path, body]);
  return answer;
}

const Problem = ({ answer }: { readonly answer: Answer }) => (
  <p role="alert" class="problem">
    {reasonOf(answer)}
  </p>
);

/** The documents that are most unusual. */
function Outliers({ analysis: { dest, resultsField } }: { readonly analysis: Analysis }) {
  const score = `${resultsField}.outlier_score`;
  const sort = [{ [score]: { order: 'desc', unmapped_type: 'double' } }];
  const answer = useAsked(`/${encodeURIComponent(dest)}/_search`, JSON.stringify({ size: OUTLIERS_SHOWN, sort }));
  if (answer === null) return <p>Loading</p>;
  if (answer.status !== 200) return <Problem answer={answer} />;
  const rows = hitsOf(answer.text).map((hit) => ({ hit, read: readHit(hit) }));
  return (
    <DataTable
      caption="Most unusual documents"
      rows={rows}
      keyOf={({ hit: { index, id } }) => `${index}/${id}`}
      empty="There are no results."
      columns={[
        { name: 'Document', show: ({ hit: { id } }) => id },
        {
          name: 'Score',
          show: ({ read }) =>
            hitValues(read, score)
              .map((one) => numberText(Number(plainText(one))))
              .join(', '),
          isNumber: true,
        },
        {
          name: 'By',
          show: ({ read }) =>
            joinedText(hitValues(read, `${resultsField}.feature_influence.feature_name`), CELL_CHARS_MAX),
        },
      ]}
    />
  );
}

/** How good predictions are, by documents that were not learnt from. */
function Evaluation({ analysis }: { readonly analysis: Analysis }) {
  const body = evaluationBody(analysis);
  const answer = useAsked('/_ml/data_frame/_evaluate', JSON.stringify(body));
  if (answer === null) return <p>Loading</p>;
  if (answer.status !== 200) return <Problem answer={answer} />;
  return (
    <DataTable
      caption="Measured by documents that were not learnt from"
      rows={readFigures(answer.json)}
      keyOf={({ name }) => name}
      empty="There are no figures."
      columns={[
        { name: 'Measure', show: ({ name }) => name },
        { name: 'Value', show: ({ value }) => numberText(value), isNumber: true },
      ]}
    />
  );
}

/** How much each field counts in the model that was trained. */
function Importances({ id }: { readonly id: string }) {
  const query = new URLSearchParams({ tags: id, include: 'total_feature_importance' });
  const models = useCall(`/_ml/trained_models?${query}`);
  return (
    <Loaded call={models}>
      {({ json }) => (
        <DataTable
          caption="What the model goes by"
          rows={readImportances(json)}
          keyOf={({ field }) => field}
          empty="The analysis was not asked for the importance of fields (num_top_feature_importance_values)."
          columns={[
            { name: 'Field', show: ({ field }) => field },
            { name: 'Mean part in a prediction', show: ({ mean }) => numberText(mean), isNumber: true },
          ]}
        />
      )}
    </Loaded>
  );
}
