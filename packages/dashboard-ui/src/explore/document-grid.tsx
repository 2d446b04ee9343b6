import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Hit, hitValues, joinedText, plainText, type ReadHit, readHit, summaryOf } from '@shoal/values';
import { shownZone } from '../state/shown-zone.js';
import { isoInZone } from '../state/zone-calendar.js';
import { type ColumnWidths, columnTracks } from './column-widths.js';
import { DENSITIES, type Density } from './densities.js';
import { GridHead } from './grid-head.js';
import { Marked } from './marked.js';
import { matchedWords } from './marks.js';
import type { Sort } from './search-state.js';
import { useResize } from './use-resize.js';

/** Props of the grid. */
interface DocumentGridProps {
  readonly hits: readonly Hit[];
  /** Field of time, the first column; null for none. */
  readonly timeField: string | null;
  /** Further columns; none shows whole documents. */
  readonly columns: readonly string[];
  /** Widths that somebody chose. */
  readonly widths?: ColumnWidths;
  /** Changes a width; null gives a column its default. Absent: widths stay. */
  readonly onWidth?: (name: string, px: number | null) => void;
  /** Columns besides that of time that hold dates. */
  readonly dates?: ReadonlySet<string>;
  /** Lines there are, loaded or not. */
  readonly count: number;
  /** Height of the lines. */
  readonly density?: Density;
  readonly sort: Sort | null;
  readonly canSort: (field: string) => boolean;
  readonly onSort: (field: string) => void;
  readonly onOpen: (hit: Hit) => void;
  /** Called when the last lines come into sight. */
  readonly onEnd: () => void;
}

/** Height of the head in pixels; the style says the same. */
const HEAD_HEIGHT = 32;
/** Lines in the page beyond those in sight, on each side, and together. */
const BEYOND = 10;
const ROWS_MAX = 120;
/** Characters of a cell, and of a document, in the grid. */
const CELL_CHARS_MAX = 400;
const SUMMARY_CHARS_MAX = 600;
const NO_WIDTHS: ColumnWidths = {};
const NO_DATES: ReadonlySet<string> = new Set();

/** A cell of the grid; row 0 is the head. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
}

/** The cell that a key leads to; null if the key means nothing in a grid. `page`: lines in sight. */
export function cellAfterKey(
  key: string,
  isControl: boolean,
  { row, column }: GridCell,
  { rows, columns, page }: { readonly rows: number; readonly columns: number; readonly page: number },
): GridCell | null {
  const at = (r: number, c: number): GridCell => ({
    row: Math.min(Math.max(r, 0), rows),
    column: Math.min(Math.max(c, 0), columns - 1),
  });
  switch (key) {
    case 'ArrowDown':
      return at(row + 1, column);
    case 'ArrowUp':
      return at(row - 1, column);
    case 'ArrowRight':
      return at(row, column + 1);
    case 'ArrowLeft':
      return at(row, column - 1);
    case 'PageDown':
      return at(row + page, column);
    case 'PageUp':
      return at(row - page, column);
    case 'Home':
      return at(isControl ? 0 : row, 0);
    case 'End':
      return at(isControl ? rows : row, columns - 1);
    default:
      return null;
  }
}

/** First and last line to have in the page, for a place and height of what is in sight and the height of a line. */
export function rowsInSight(
  top: number,
  height: number,
  count: number,
  rowHeight: number,
): readonly [first: number, end: number] {
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count - 1) - BEYOND);
  const wanted = Math.ceil(height / rowHeight) + 2 * BEYOND;
  return [first, Math.min(count, first + Math.min(wanted, ROWS_MAX))];
}

/**
 * Documents as a grid (WAI-ARIA) of which only the lines in sight are in the page: one tab stop, arrows move from cell
 * to cell.
 */
export function DocumentGrid(props: DocumentGridProps) {
  const { hits, count, density = 'Normal', timeField, widths = NO_WIDTHS } = props;
  const { sort, canSort, onSort, onOpen, onEnd } = props;
  const [cell, setCell] = useState<GridCell>({ row: 0, column: 0 });
  const box = useRef<HTMLDivElement>(null);
  const [view, look] = useView(box);
  const { names, isDate, hasSummary } = useColumns(props);
  const resize = useResize(widths, props.onWidth);
  const columnCount = 1 + names.length + (hasSummary ? 1 : 0);
  const rowHeight = DENSITIES[density];
  const [first, end] = rowsInSight(view.top, view.height, hits.length, rowHeight);
  /** Cell that gets the focus once its line is in the page. */
  const wanted = useRef<GridCell | null>(null);
  useLayoutEffect(() => {
    if (wanted.current !== null && focusCell(box.current, wanted.current)) wanted.current = null;
  });
  useEnd(end, hits.length, onEnd);
  // The tab stop is always in the page, also after its line was scrolled away.
  const stopRow = cell.row === 0 ? 0 : Math.min(Math.max(cell.row, first + 1), end);
  const isStop = (row: number, column: number): boolean =>
    row === stopRow && column === Math.min(cell.column, columnCount - 1);
  const onKey = (event: KeyboardEvent): void => {
    if (resize?.onKey(event) === true) return;
    const from = { row: stopRow, column: cell.column };
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 2);
    const size = { rows: hits.length, columns: columnCount, page };
    const next = cellAfterKey(event.key, event.ctrlKey || event.metaKey, from, size);
    if (next === null) return;
    event.preventDefault();
    wanted.current = next;
    setCell(next);
    showRow(box.current!, next.row, rowHeight);
    look();
  };
  const head = { names, hasSummary, sort, canSort, onSort, isStop, resize };
  const tracks = columnTracks({ names, timeField, hasSummary, widths: resize?.widths ?? widths });
  return (
    <div
      ref={box}
      role="grid"
      aria-label="Documents"
      aria-rowcount={count + 1}
      aria-colcount={columnCount}
      class="grid"
      style={{ '--columns': tracks }}
      onScroll={look}
      onKeyDown={onKey}
      onKeyUp={({ key }) => key === 'Shift' && resize?.onDrop()}
      onBlurCapture={resize?.onDrop}
      onFocusCapture={({ target }) => setCell((before) => cellOf(target) ?? before)}
    >
      <GridHead {...head} />
      <GridBody
        {...{ hits, first, end, density, names, isDate, hasSummary, onOpen }}
        stop={{ row: stopRow, column: Math.min(cell.column, columnCount - 1) }}
      />
    </div>
  );
}

/** Props of the lines. */
interface GridBodyProps extends Pick<GridRowProps, 'names' | 'isDate' | 'hasSummary' | 'onOpen'> {
  readonly hits: readonly Hit[];
  /** First line in the page, and the one after the last. */
  readonly first: number;
  readonly end: number;
  readonly density: Density;
  /** The tab stop. */
  readonly stop: GridCell;
}

function GridBody({ hits, first, end, density, stop, ...shared }: GridBodyProps) {
  const rowHeight = DENSITIES[density];
  return (
    <div
      role="rowgroup"
      class={`grid-body grid-${density.toLowerCase()}`}
      style={{ height: `${hits.length * rowHeight}px` }}
    >
      {hits.slice(first, end).map((hit, i) => (
        <GridRow
          key={first + i}
          row={first + i + 1}
          hit={hit}
          {...shared}
          top={(first + i) * rowHeight}
          stop={stop.row === first + i + 1 ? stop.column : null}
        />
      ))}
    </div>
  );
}

/** The columns, the same objects while they do not change: lines are made anew when one of them does. */
function useColumns({ timeField, columns, dates = NO_DATES }: DocumentGridProps) {
  const names = useMemo(
    () => [...(timeField === null ? [] : [timeField]), ...columns.filter((name) => name !== timeField)],
    [timeField, columns.join('\n')],
  );
  const isDate = useMemo(() => (name: string) => name === timeField || dates.has(name), [timeField, dates]);
  const hasSummary = columns.length === 0;
  return { names, isDate, hasSummary };
}

/** Calls `onEnd` when the last of the loaded lines is in the page. */
function useEnd(end: number, count: number, onEnd: () => void): void {
  useEffect(() => {
    if (count > 0 && end >= count) onEnd();
  }, [end, count]);
}

interface View {
  readonly top: number;
  readonly height: number;
}

/** What of a box is in sight, in pixels, and a way to look anew. */
function useView(box: { readonly current: HTMLElement | null }): [view: View, look: () => void] {
  const [view, setView] = useState<View>({ top: 0, height: 600 });
  const look = (): void => {
    if (box.current !== null) setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return [view, look];
}

/** Scrolls a line into sight: below the head, which stays at the top. */
function showRow(box: HTMLElement, row: number, rowHeight: number): void {
  const top = (row - 1) * rowHeight;
  const bottom = top + rowHeight + HEAD_HEIGHT;
  if (row === 0 || top < box.scrollTop) box.scrollTop = Math.max(0, top);
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

/** Gives a cell, or the button in it, the focus; false if it is not in the page. */
function focusCell(box: HTMLElement | null, { row, column }: GridCell): boolean {
  const cell = box?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`);
  (cell?.querySelector('button') ?? cell)?.focus({ preventScroll: true });
  return cell !== undefined && cell !== null;
}

/** The cell that an element is in; null for none. */
function cellOf(target: EventTarget | null): GridCell | null {
  const name = (target as HTMLElement | null)?.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  const [row, column] = (name ?? '').split('-').map(Number);
  return row === undefined || column === undefined ? null : { row, column };
}

/** Props of a line. */
interface GridRowProps {
  readonly row: number;
  readonly hit: Hit;
  readonly names: readonly string[];
  readonly isDate: (name: string) => boolean;
  readonly hasSummary: boolean;
  /** Pixels above the line. */
  readonly top: number;
  /** Column of the tab stop; null if it is in another line. */
  readonly stop: number | null;
  readonly onOpen: (hit: Hit) => void;
}

/** Values of a field as a line shows them: dates in the shown zone. */
function cellText(read: ReadHit, name: string, isDate: boolean): string {
  if (!isDate) return joinedText(hitValues(read, name), CELL_CHARS_MAX);
  const made = hitValues({ source: null, fields: read.fields }, name);
  const values = made.length > 0 ? made : hitValues(read, name);
  return joinedText(
    values.map((value) => isoInZone(plainText(value), shownZone.value)),
    CELL_CHARS_MAX,
  );
}

/** A line. It is made anew only when something of it changed: while a grid is scrolled most lines stay. */
function GridRow(props: GridRowProps) {
  const { row, hit, names, isDate, hasSummary, top, stop } = props;
  const onOpen = useRef(props.onOpen);
  onOpen.current = props.onOpen;
  const zone = shownZone.value;
  return useMemo(
    () => <LineOf {...{ row, hit, names, isDate, hasSummary, top, stop }} onOpen={() => onOpen.current(hit)} />,
    [row, hit, names, isDate, hasSummary, top, stop, zone],
  );
}

/** Props of a line as it is made. */
interface LineProps extends Omit<GridRowProps, 'onOpen'> {
  readonly onOpen: () => void;
}

function LineOf({ row, hit, names, isDate, hasSummary, top, stop, onOpen }: LineProps) {
  const read = readHit(hit);
  const words = matchedWords(hit);
  return (
    <div role="row" aria-rowindex={row + 1} class="grid-row" style={{ top: `${top}px` }}>
      <div role="gridcell" aria-colindex={1} data-cell={`${row}-0`}>
        <button type="button" class="plain" aria-label="Open document" tabIndex={stop === 0 ? 0 : -1} onClick={onOpen}>
          Open
        </button>
      </div>
      {names.map((name, i) => (
        <div
          key={name}
          role="gridcell"
          aria-colindex={i + 2}
          data-cell={`${row}-${i + 1}`}
          tabIndex={stop === i + 1 ? 0 : -1}
        >
          <Marked text={cellText(read, name, isDate(name))} words={words.get(name)} />
        </div>
      ))}
      {hasSummary && (
        <div
          role="gridcell"
          aria-colindex={names.length + 2}
          data-cell={`${row}-${names.length + 1}`}
          tabIndex={stop === names.length + 1 ? 0 : -1}
        >
          {summaryOf(read, SUMMARY_CHARS_MAX).map(({ name, text }) => (
            <span key={name} class="summary-part">
              <b>{name}</b> <Marked text={text} words={words.get(name)} />{' '}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
