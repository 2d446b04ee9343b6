import { useEffect, useState } from 'preact/hooks';
import { reloads } from '../state/session.js';
import { type Answer, clusterCall } from './own-call.js';

/** The state of a read of the cluster that a component shows. */
export interface CallState {
  /** The last good answer; kept while the call is made anew. */
  readonly answer: Answer | null;
  /** The answer that was none, until one is good again. */
  readonly failure: Answer | null;
  /** The call as it was made, `GET /_cat/nodes`. */
  readonly request: string;
  readonly again: () => void;
}

/**
 * Reads a path of the cluster, anew with each other path and after a login; a read that is not wanted is cancelled.
 * Null reads nothing.
 */
export function useCall(path: string | null): CallState {
  const [state, setState] = useState<{ path: string | null; answer: Answer | null; failure: Answer | null }>({
    path,
    answer: null,
    failure: null,
  });
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    clusterCall('GET', path, { signal: abort.signal }).then(
      (answer) => {
        if (abort.signal.aborted) return;
        // Lists that Elasticsearch finds empty have the status 404 and no error.
        const isEmpty = answer.status === 404 && answer.text.trim() === '{}';
        const isGood = isEmpty || (answer.status >= 200 && answer.status < 300);
        setState((before) => ({
          path,
          answer: isGood ? answer : before.path === path ? before.answer : null,
          failure: isGood ? null : answer,
        }));
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [path, looks, reloads.value]);
  return {
    answer: state.path === path ? state.answer : null,
    failure: state.path === path ? state.failure : null,
    request: `GET ${path ?? ''}`,
    again: () => setLooks((count) => count + 1),
  };
}
