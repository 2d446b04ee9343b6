import { useRef, useState } from 'preact/hooks';
import type { SearchState } from '../../explore/search-state.js';
import type { SearchResult } from '../../explore/use-search.js';
import { download } from '../../request/download.js';
import { formatBytes, formatCount } from '../../state/format.js';
import { message } from '../../state/session.js';
import { Menu } from '../../widgets/menu.js';

/** Props of the menu. */
interface ExportMenuProps {
  readonly state: SearchState & { readonly indices: string };
  readonly result: SearchResult;
}

type Format = 'csv' | 'ndjson';

/** A name for a file: that of the indices without what file systems refuse. */
const fileName = (indices: string, format: Format): string =>
  `${indices.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'export'}.${format}`;

/** All matches as a file, streamed; while it is made a button stops it. */
export function ExportMenu({ state, result }: ExportMenuProps) {
  const [bytes, setBytes] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  const { lines, timeField } = result;
  const run = async (format: Format): Promise<void> => {
    if (lines === null) return;
    abort.current = new AbortController();
    setBytes(0);
    const columns =
      state.columns.length === 0 ? [] : [...new Set([...(timeField === null ? [] : [timeField]), ...state.columns])];
    const body = { index: state.indices, query: lines.query, sort: lines.sort, format, columns };
    const outcome = await download('/api/export', body, fileName(state.indices, format), {
      signal: abort.current.signal,
      onProgress: (progress) => setBytes(progress.bytes),
    });
    setBytes(null);
    if (outcome.kind === 'failed') return void (message.value = outcome.reason);
    const [rows, found] = ['x-shoal-rows', 'x-shoal-rows-found'].map((name) => Number(outcome.headers.get(name)));
    message.value =
      rows === found
        ? `${formatCount(rows ?? 0)} documents were exported.`
        : `The first ${formatCount(rows ?? 0)} of ${formatCount(found ?? 0)} documents were exported.`;
  };
  if (bytes !== null)
    return (
      <>
        <button type="button" onClick={() => abort.current?.abort()}>
          Stop export
        </button>
        <span>{formatBytes(bytes)}</span>
      </>
    );
  return (
    <Menu
      label="Export"
      items={[
        { name: 'CSV', act: () => void run('csv') },
        { name: 'NDJSON', act: () => void run('ndjson') },
      ]}
    />
  );
}
