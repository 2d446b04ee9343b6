import { useState } from 'preact/hooks';
import { usePolling } from '../state/polling.js';
import { reloads } from '../state/session.js';
import { type Answer, clusterCall } from './own-call.js';
import type { CallState } from './use-call.js';

/** Reads a path of the cluster, and anew `pauseMs` after each answer while the page is visible. */
export function useFollowed(path: string, pauseMs: number): CallState {
  const [state, setState] = useState<{ path: string; answer: Answer | null; failure: Answer | null }>({
    path,
    answer: null,
    failure: null,
  });
  const [looks, setLooks] = useState(0);
  usePolling(
    async (signal) => {
      const answer = await clusterCall('GET', path, { signal, isPolling: true });
      const isGood = answer.status >= 200 && answer.status < 300;
      setState((before) => ({
        path,
        answer: isGood ? answer : before.path === path ? before.answer : null,
        failure: isGood ? null : answer,
      }));
    },
    pauseMs,
    [path, looks, reloads.value],
  );
  return {
    answer: state.path === path ? state.answer : null,
    failure: state.path === path ? state.failure : null,
    request: `GET ${path}`,
    again: () => setLooks((count) => count + 1),
  };
}
