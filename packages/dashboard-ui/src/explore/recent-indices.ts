import { useEffect, useState } from 'preact/hooks';
import { clusterCall } from '../request/own-call.js';
import { reloads } from '../state/session.js';

const KEY = 'shoal:recent-indices';
const RECENT_MAX = 10;

function recentIndices(): readonly string[] {
  try {
    const list: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, RECENT_MAX) : [];
  } catch {
    return [];
  }
}

/** Keeps a name or pattern in this browser as the one used last. */
export function noteIndices(name: string): void {
  try {
    const list = [name, ...recentIndices().filter((other) => other !== name)].slice(0, RECENT_MAX);
    window.localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Without storage nothing is recent.
  }
}

interface Resolved {
  readonly indices?: readonly { readonly name: string }[];
  readonly aliases?: readonly { readonly name: string }[];
  readonly data_streams?: readonly { readonly name: string }[];
}

/** Names that can be searched: recent ones, then data streams, aliases and indices. Null until they are known. */
export function useIndexNames(): readonly string[] | null {
  const [names, setNames] = useState<readonly string[] | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    clusterCall('GET', '/_resolve/index/*?expand_wildcards=open', { signal: abort.signal }).then(
      ({ json }) => {
        const { indices = [], aliases = [], data_streams: streams = [] } = (json ?? {}) as Resolved;
        setNames([...streams, ...aliases, ...indices].map(({ name }) => name));
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [reloads.value]);
  return names === null ? null : [...new Set([...recentIndices(), ...names])];
}
