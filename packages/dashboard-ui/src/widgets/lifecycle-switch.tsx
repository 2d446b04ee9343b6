import { clusterCall, reasonOf } from '../request/own-call.js';
import { useCall } from '../request/use-call.js';
import { message } from '../state/session.js';
import { Loaded } from './loaded.js';

/** Whether policies run, and the switch. `path` is that of the feature. */
export function LifecycleSwitch({ path, name }: { readonly path: '/_ilm' | '/_slm'; readonly name: string }) {
  const status = useCall(`${path}/status`);
  const change = async (end: string): Promise<void> => {
    const answer = await clusterCall('POST', `${path}/${end}`);
    if (answer.status !== 200) message.value = reasonOf(answer);
    status.again();
  };
  return (
    <Loaded call={status}>
      {({ json }) => {
        const { operation_mode: mode = '' } = (json ?? {}) as { readonly operation_mode?: string };
        const isRunning = mode === 'RUNNING';
        return (
          <p class="row">
            <span role="status" aria-label={`${name} state`}>
              {name}: {mode.toLowerCase()}
            </span>
            <button type="button" onClick={() => void change(isRunning ? 'stop' : 'start')}>
              {`${isRunning ? 'Stop' : 'Start'} ${name.toLowerCase()}`}
            </button>
          </p>
        );
      }}
    </Loaded>
  );
}
