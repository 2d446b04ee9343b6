/** Side of the square that the world is in. */
export const MAP_SIZE = 360;

/** The part of the square that is in sight. */
export interface MapView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A place in the square. */
export interface MapPlace {
  readonly x: number;
  readonly y: number;
}

/** Latitude at which the square map ends (Web Mercator). */
const LAT_MAX = 85.05;
/** Room around what is shown, and the least that is in sight, in degrees. */
const ROOM = 15;
const SIDE_MIN = 2;

/** Place of a longitude and a latitude (Web Mercator). */
export function mapPlace([lon, lat]: readonly [number, number]): MapPlace {
  const limited = Math.min(Math.max(lat, -LAT_MAX), LAT_MAX);
  const mercator = Math.log(Math.tan(Math.PI / 4 + (limited * Math.PI) / 360));
  return { x: lon + 180, y: MAP_SIZE / 2 - (mercator * MAP_SIZE) / (2 * Math.PI) };
}

/** The part of the square that has all places, with some room around. */
export function viewOf(places: readonly MapPlace[]): MapView {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, top] = [Math.max(0, Math.min(...xs) - ROOM), Math.max(0, Math.min(...ys) - ROOM)];
  const [right, bottom] = [Math.min(MAP_SIZE, Math.max(...xs) + ROOM), Math.min(MAP_SIZE, Math.max(...ys) + ROOM)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A view kept within the square. */
function within({ x, y, width, height }: MapView): MapView {
  const [w, h] = [Math.min(width, MAP_SIZE), Math.min(height, MAP_SIZE)];
  const inside = (value: number, side: number): number => Math.min(Math.max(value, 0), MAP_SIZE - side);
  return { x: inside(x, w), y: inside(y, h), width: w, height: h };
}

/** A view of which one part by `factor` is seen, around a place at fractions of it; below 1 more of the map is seen. */
export function zoomedView(view: MapView, factor: number, [atX, atY]: readonly [number, number] = [0.5, 0.5]): MapView {
  const least = Math.max(SIDE_MIN / view.width, SIDE_MIN / view.height);
  const share = Math.max(1 / factor, least);
  const [width, height] = [view.width * share, view.height * share];
  return within({ x: view.x + (view.width - width) * atX, y: view.y + (view.height - height) * atY, width, height });
}

/** A view moved by fractions of itself. */
export const movedView = (view: MapView, right: number, down: number): MapView =>
  within({ ...view, x: view.x + view.width * right, y: view.y + view.height * down });

/** The view that a key leads to; null if it means nothing on a map. `all`: the view with everything. */
export function viewAfterKey(key: string, view: MapView, all: MapView): MapView | null {
  switch (key) {
    case 'ArrowLeft':
      return movedView(view, -0.2, 0);
    case 'ArrowRight':
      return movedView(view, 0.2, 0);
    case 'ArrowUp':
      return movedView(view, 0, -0.2);
    case 'ArrowDown':
      return movedView(view, 0, 0.2);
    case '+':
    case '=':
      return zoomedView(view, 1.5);
    case '-':
      return zoomedView(view, 1 / 1.5);
    case '0':
    case 'Home':
      return all;
    default:
      return null;
  }
}
