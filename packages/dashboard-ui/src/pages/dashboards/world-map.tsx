import { useEffect, useRef, useState } from 'preact/hooks';
import { MAP_SIZE, type MapView, mapPlace, movedView, viewAfterKey, viewOf, zoomedView } from './map-view.js';
import type { PanelData } from './panel-data.js';

const LINES = [-150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150];
/** Zoom of a step. */
const STEP = 1.5;
/** Steps of the land's path in a degree. */
const LAND_STEPS = 10;

/** The land, loaded with the first map of a page; empty until then. */
let land = '';

function useLand(): string {
  const [path, setPath] = useState(land);
  useEffect(() => {
    if (path !== '') return;
    void import('../../generated/coastlines.js').then(({ LAND }) => {
      land = LAND;
      setPath(LAND);
    });
  }, []);
  return path;
}

/** Cells of a map as circles over the land; the table beside has the same numbers. Moved by keys and by pointer. */
export function WorldMap({ name, data: { rows, columns } }: { readonly name: string; readonly data: PanelData }) {
  const cells = rows.flatMap(({ name: cell, point, values }) =>
    point === null ? [] : [{ name: cell, ...mapPlace(point), value: values[0] ?? 0 }],
  );
  const all = viewOf(cells);
  const [chosen, setChosen] = useState<MapView | null>(null);
  const view = chosen ?? all;
  const most = cells.reduce((a, { value }) => Math.max(a, value), 0);
  const size = view.width / 120;
  const onKey = (event: KeyboardEvent): void => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const next = isPlain ? viewAfterKey(event.key, view, all) : null;
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  };
  const drag = useDrag(view, setChosen);
  return (
    <figure>
      <div
        role="group"
        tabIndex={0}
        aria-label={`Map of ${name}: arrows move it, plus and minus zoom, 0 shows all`}
        class="map-box"
        onKeyDown={onKey}
      >
        <svg
          class="map"
          viewBox={[view.x, view.y, view.width, view.height].map((value) => value.toFixed(2)).join(' ')}
          aria-hidden="true"
          {...drag}
          onDblClick={(event) => setChosen(zoomedView(view, STEP * STEP, fractionsOf(event)))}
        >
          <Land />
          {cells.map(({ name: cell, x, y, value }) => (
            <circle key={cell} class="map-cell" cx={x} cy={y} r={size * radiusOf(value, most)}>
              <title>{`${cell}: ${value}`}</title>
            </circle>
          ))}
        </svg>
      </div>
      <figcaption>
        {columns[1]} by place.{' '}
        <span class="row">
          <button type="button" onClick={() => setChosen(zoomedView(view, STEP))}>
            Zoom in
          </button>
          <button type="button" onClick={() => setChosen(zoomedView(view, 1 / STEP))}>
            Zoom out
          </button>
          <button type="button" disabled={chosen === null} onClick={() => setChosen(null)}>
            Show all
          </button>
        </span>
      </figcaption>
    </figure>
  );
}

const radiusOf = (value: number, most: number): number => 0.6 + (most <= 0 ? 0 : 2.4 * Math.sqrt(value / most));

/** Land and lines of 30 degrees. */
function Land() {
  const path = useLand();
  return (
    <>
      <path class="map-land" transform={`scale(${1 / LAND_STEPS})`} d={path} />
      {LINES.map((degree) => (
        <path
          key={degree}
          class={degree === 0 ? 'map-line map-zero' : 'map-line'}
          d={`M${degree + 180} 0V${MAP_SIZE}M0 ${mapPlace([0, degree]).y.toFixed(1)}H${MAP_SIZE}`}
        />
      ))}
    </>
  );
}

/** Where in an element a pointer is, as fractions of it. */
function fractionsOf(event: MouseEvent): readonly [number, number] {
  const { left, top, width, height } = (event.currentTarget as Element).getBoundingClientRect();
  return [(event.clientX - left) / width, (event.clientY - top) / height];
}

/** Moves the view with the pointer that holds it. */
function useDrag(view: MapView, onMove: (view: MapView) => void) {
  const from = useRef<{ readonly view: MapView; readonly x: number; readonly y: number } | null>(null);
  const end = (): void => {
    from.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      from.current = { view, x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent): void => {
      if (from.current === null) return;
      const { width, height } = (event.currentTarget as Element).getBoundingClientRect();
      const { view: start, x, y } = from.current;
      onMove(movedView(start, (x - event.clientX) / width, (y - event.clientY) / height));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
