import type { PanelData } from './panel-data.js';

const SIZE = 360;
/** Latitude at which the square map ends (Web Mercator). */
const LAT_MAX = 85.05;

/** Place in a square of 360 × 360 (Web Mercator). */
export function mapPlace([lon, lat]: readonly [number, number]): { readonly x: number; readonly y: number } {
  const limited = Math.min(Math.max(lat, -LAT_MAX), LAT_MAX);
  const mercator = Math.log(Math.tan(Math.PI / 4 + (limited * Math.PI) / 360));
  return { x: lon + 180, y: SIZE / 2 - (mercator * SIZE) / (2 * Math.PI) };
}

/** The part of the square that has all places, with some room around: `x y width height`. */
export function mapBox(places: readonly { readonly x: number; readonly y: number }[]): string {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, top] = [Math.max(0, Math.min(...xs) - 15), Math.max(0, Math.min(...ys) - 15)];
  const [right, bottom] = [Math.min(SIZE, Math.max(...xs) + 15), Math.min(SIZE, Math.max(...ys) + 15)];
  return [left, top, right - left, bottom - top].map((value) => value.toFixed(1)).join(' ');
}

const LINES = [-150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150];

/** Cells of a map as circles over its degrees; the table beside has the same numbers. */
export function WorldMap({ data: { rows, columns } }: { readonly data: PanelData }) {
  const cells = rows.flatMap(({ name, point, values }) =>
    point === null ? [] : [{ name, ...mapPlace(point), value: values[0] ?? 0 }],
  );
  const most = cells.reduce((a, { value }) => Math.max(a, value), 0);
  return (
    <figure>
      <svg class="map" viewBox={mapBox(cells)} aria-hidden="true">
        {LINES.map((degree) => (
          <path
            key={degree}
            class={degree === 0 ? 'map-line map-zero' : 'map-line'}
            d={`M${degree + 180} 0V${SIZE}M0 ${mapPlace([0, degree]).y.toFixed(1)}H${SIZE}`}
          />
        ))}
        {cells.map(({ name, x, y, value }) => (
          <circle key={name} class="map-cell" cx={x} cy={y} r={1 + (most <= 0 ? 0 : 5 * Math.sqrt(value / most))}>
            <title>{`${name}: ${value}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>{columns[1]} by place, over lines of 30 degrees.</figcaption>
    </figure>
  );
}
