import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useFollowed } from '../../request/use-followed.js';
import { addressOf, goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { Menu } from '../../widgets/menu.js';
import { type Analysis, type AnalysisStats, phaseText, readAnalyses, readStats } from './analytics.js';

/** Pause between two looks at analyses that may run. */
const LOOK_MS = 3_000;
const LIST_MAX = 1_000;

/** Path of an analysis. */
export const analysisPath = (id: string): string => `/_ml/data_frame/analytics/${encodeURIComponent(id)}`;
const pageOf = (id: string): string => `/app/ml?tab=analytics&analysis=${encodeURIComponent(id)}`;
const ENDED = new Set(['stopped', 'failed']);

/** All analyses of data frames; follows those that run. */
export function AnalyticsList() {
  const list = useFollowed(`/_ml/data_frame/analytics?size=${LIST_MAX}`, LOOK_MS);
  const stats = useFollowed(`/_ml/data_frame/analytics/_stats?size=${LIST_MAX}`, LOOK_MS);
  const [deleted, setDeleted] = useState<string | null>(null);
  const again = (): void => {
    list.again();
    stats.again();
  };
  const act = async (id: string, what: '_start' | '_stop'): Promise<void> => {
    const answer = await clusterCall('POST', `${analysisPath(id)}/${what}`);
    message.value = answer.status === 200 ? 'Done.' : reasonOf(answer);
    again();
  };
  return (
    <>
      <p>An analysis copies documents to an index of its own and adds what it found to each.</p>
      <div class="row">
        <button type="button" onClick={() => goTo('/app/ml?tab=analytics&new=true')}>
          Create analysis
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => (
          <AnalyticsTable
            rows={readAnalyses(json)}
            stats={readStats(stats.answer?.json)}
            act={(id, what) => void act(id, what)}
            onDelete={setDeleted}
          />
        )}
      </Loaded>
      {deleted !== null && (
        <ConfirmDelete
          name={deleted}
          lost="Its results stay in their index, and the model that it trained stays."
          call={`DELETE ${analysisPath(deleted)}?force=true`}
          run={() => clusterCall('DELETE', `${analysisPath(deleted)}?force=true`)}
          onClose={() => setDeleted(null)}
          onDone={again}
        />
      )}
    </>
  );
}

/** Props of the table. */
interface AnalyticsTableProps {
  readonly rows: readonly Analysis[];
  readonly stats: ReadonlyMap<string, AnalysisStats>;
  readonly act: (id: string, what: '_start' | '_stop') => void;
  readonly onDelete: (id: string) => void;
}

function AnalyticsTable({ rows, stats, act, onDelete }: AnalyticsTableProps) {
  const stateOf = (id: string): string => stats.get(id)?.state ?? '';
  return (
    <DataTable
      caption="Analyses"
      rows={rows}
      keyOf={({ id }) => id}
      empty="There is no analysis yet. One finds outliers, or learns to predict a field by the others."
      columns={[
        { name: 'Name', show: ({ id }) => <a href={addressOf(pageOf(id))}>{id}</a>, sort: ({ id }) => id },
        { name: 'Kind', show: ({ kind }) => kind.replaceAll('_', ' '), sort: ({ kind }) => kind },
        { name: 'Documents of', show: ({ source }) => source.join(', ') },
        { name: 'Results in', show: ({ dest }) => dest, sort: ({ dest }) => dest },
        { name: 'State', show: ({ id }) => stateOf(id), sort: ({ id }) => stateOf(id) },
        { name: 'Progress', show: ({ id }) => phaseText(stats.get(id) ?? {}) || '–' },
        {
          name: 'Actions',
          show: ({ id }) => (
            <Menu
              label={`Actions for ${id}`}
              shown="Actions"
              items={[
                ENDED.has(stateOf(id))
                  ? { name: 'Start', act: () => act(id, '_start') }
                  : { name: 'Stop', act: () => act(id, '_stop') },
                { name: 'Results', act: () => goTo(pageOf(id)) },
                { name: 'Delete', act: () => onDelete(id) },
              ]}
            />
          ),
        },
      ]}
    />
  );
}
