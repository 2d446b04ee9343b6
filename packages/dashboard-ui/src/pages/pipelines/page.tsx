import { useState } from 'preact/hooks';
import { clusterCall } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { addressOf, goTo, place } from '../../state/router.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { PipelineEditor } from './pipeline-editor.js';
import { EMPTY_PIPELINE, readPipeline } from './pipeline-text.js';

/** Ingest pipelines: the list, or one of them. */
export function Page() {
  const { query } = place.value;
  const name = query.get('name');
  if (name !== null) return <OnePipeline key={name} name={name} />;
  return query.get('new') === 'true' ? <PipelineEditor name={null} first={EMPTY_PIPELINE} /> : <PipelineList />;
}

/** What the list shows of a pipeline. */
interface PipelineRow {
  readonly description?: string;
  readonly processors?: readonly unknown[];
}

const pathOf = (name: string): string => `/_ingest/pipeline/${encodeURIComponent(name)}`;

function OnePipeline({ name }: { readonly name: string }) {
  const pipeline = useCall(pathOf(name));
  return (
    <>
      {pipeline.answer === null && <h1 tabIndex={-1}>{name}</h1>}
      <Loaded call={pipeline}>{({ text }) => <PipelineEditor name={name} first={readPipeline(text, name)} />}</Loaded>
    </>
  );
}

function PipelineList() {
  const list = useCall('/_ingest/pipeline');
  const [deleted, setDeleted] = useState<string | null>(null);
  return (
    <>
      <h1 tabIndex={-1}>Ingest pipelines</h1>
      <div class="row">
        <button type="button" onClick={() => goTo('/app/pipelines?new=true')}>
          Create pipeline
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => (
          <DataTable
            caption="Pipelines"
            rows={Object.entries((json ?? {}) as Record<string, PipelineRow>)}
            keyOf={([name]) => name}
            empty="There is no pipeline yet. A pipeline changes documents before they are indexed."
            columns={[
              {
                name: 'Name',
                show: ([name]) => <a href={addressOf(`/app/pipelines?name=${encodeURIComponent(name)}`)}>{name}</a>,
                sort: ([name]) => name,
              },
              { name: 'Description', show: ([, { description }]) => description ?? '' },
              { name: 'Processors', show: ([, { processors }]) => processors?.length ?? 0, isNumber: true },
              {
                name: 'Actions',
                show: ([name]) => (
                  <button type="button" aria-label={`Delete ${name}`} onClick={() => setDeleted(name)}>
                    Delete
                  </button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {deleted !== null && (
        <ConfirmDelete
          name={deleted}
          lost="Documents that name it are refused from then on."
          call={`DELETE ${pathOf(deleted)}`}
          run={() => clusterCall('DELETE', pathOf(deleted))}
          onClose={() => setDeleted(null)}
          onDone={() => {
            message.value = `The pipeline ${deleted} was deleted.`;
            list.again();
          }}
        />
      )}
    </>
  );
}
