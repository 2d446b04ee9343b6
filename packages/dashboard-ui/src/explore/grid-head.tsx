import { ResizeHandle } from './resize-handle.js';
import type { Sort } from './search-state.js';
import type { Resize } from './use-resize.js';

/** Props of the head. */
interface GridHeadProps {
  readonly sort: Sort | null;
  readonly canSort: (field: string) => boolean;
  readonly onSort: (field: string) => void;
  readonly names: readonly string[];
  readonly hasSummary: boolean;
  readonly isStop: (row: number, column: number) => boolean;
  readonly resize: Resize | null;
}

/** Names of columns: buttons where documents can be sorted by them, with an edge that is dragged. */
export function GridHead({ names, hasSummary, sort, canSort, onSort, isStop, resize }: GridHeadProps) {
  const plain = (text: string, column: number, field: string | null = null) => (
    <div
      role="columnheader"
      aria-colindex={column + 1}
      data-cell={`0-${column}`}
      data-field={field ?? undefined}
      tabIndex={isStop(0, column) ? 0 : -1}
    >
      {text}
      {field !== null && handle(field)}
    </div>
  );
  const handle = (name: string) =>
    resize !== null && (
      <ResizeHandle
        onDrag={(px) => resize.onDrag(name, px)}
        onDrop={resize.onDrop}
        onReset={() => resize.onReset(name)}
      />
    );
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" aria-rowindex={1} class="grid-row">
        {plain('Open', 0)}
        {names.map((name, i) =>
          canSort(name) ? (
            <div
              key={name}
              role="columnheader"
              aria-colindex={i + 2}
              data-cell={`0-${i + 1}`}
              data-field={name}
              aria-sort={sort?.field !== name ? undefined : sort.isDown ? 'descending' : 'ascending'}
            >
              <button type="button" class="plain" tabIndex={isStop(0, i + 1) ? 0 : -1} onClick={() => onSort(name)}>
                {name}
              </button>
              {handle(name)}
            </div>
          ) : (
            plain(name, i + 1, name)
          ),
        )}
        {hasSummary && plain('Document', names.length + 1)}
      </div>
    </div>
  );
}
