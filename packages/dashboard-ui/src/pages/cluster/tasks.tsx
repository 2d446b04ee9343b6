import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { formatTime } from '../../state/format.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';

interface TaskJson {
  readonly node: string;
  readonly id: number;
  readonly action: string;
  readonly description?: string;
  readonly start_time_in_millis: number;
  readonly running_time_in_nanos: number;
  readonly cancellable: boolean;
}

interface TasksAnswer {
  readonly tasks?: readonly TaskJson[] | Readonly<Record<string, TaskJson>>;
}

/** What the nodes work on, with a way to cancel it. */
export function Tasks() {
  const tasks = useCall('/_tasks?detailed=true&group_by=none');
  const cancel = async (id: string): Promise<void> => {
    const done = await clusterCall('POST', `/_tasks/${encodeURIComponent(id)}/_cancel`);
    message.value = done.status === 200 ? `The task ${id} was cancelled.` : reasonOf(done);
    tasks.again();
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={tasks.again}>
          Look again
        </button>
      </div>
      <Loaded call={tasks}>
        {({ json }) => (
          <DataTable
            caption="Tasks"
            rows={Object.values((json as TasksAnswer).tasks ?? {})}
            keyOf={({ node, id }) => `${node}:${id}`}
            empty="Nothing runs."
            columns={[
              { name: 'Task', show: ({ node, id }) => `${node}:${id}` },
              { name: 'Action', show: ({ action }) => action, sort: ({ action }) => action },
              { name: 'Description', show: ({ description }) => description ?? '' },
              {
                name: 'Since',
                show: ({ start_time_in_millis: at }) => formatTime(at),
                sort: ({ start_time_in_millis: at }) => at,
              },
              {
                name: 'Cancel',
                show: ({ node, id, cancellable }) =>
                  cancellable && (
                    <button
                      type="button"
                      aria-label={`Cancel ${node}:${id}`}
                      onClick={() => void cancel(`${node}:${id}`)}
                    >
                      Cancel
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
