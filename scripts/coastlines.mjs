// Writes the land of the map panel, packages/dashboard-ui/src/generated/coastlines.ts, out of a TopoJSON file: Natural
// Earth's land at 1:110 million, which is in the public domain (land-110m.json of the package world-atlas 2).
// Usage: node scripts/coastlines.mjs land-110m.json
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const LINE_CHARS = 100;
/** Latitude at which the square map ends (Web Mercator), and steps of the square's side: a tenth of a degree. */
const LAT_MAX = 85.05;
const SIDE = 3_600;

const topology = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const { scale, translate } = topology.transform;

/** Arcs as lists of degrees; in the file each point is the difference to the one before. */
const arcs = topology.arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});

/** A ring joins arcs; a negative number is one backwards, and each begins where the one before ended. */
const ringOf = (numbers) =>
  numbers.flatMap((number, i) => {
    const arc = number < 0 ? arcs[~number].toReversed() : arcs[number];
    return i === 0 ? arc : arc.slice(1);
  });

function place([lon, lat]) {
  const limited = Math.min(Math.max(lat, -LAT_MAX), LAT_MAX);
  const mercator = Math.log(Math.tan(Math.PI / 4 + (limited * Math.PI) / 360));
  return [Math.round(((lon + 180) / 360) * SIDE), Math.round(SIDE / 2 - (mercator * SIDE) / (2 * Math.PI))];
}

/** A ring as a path of differences. */
function pathOf(ring) {
  const places = ring.map(place);
  const [first, ...others] = places;
  let [x, y] = first;
  const steps = others.flatMap(([nextX, nextY]) => {
    const [dx, dy] = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return dx === 0 && dy === 0 ? [] : [`${dx}${dy < 0 ? '' : ' '}${dy}`];
  });
  return steps.length < 3 ? '' : `M${first[0]} ${first[1]}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

const geometries = topology.objects.land.geometries ?? [topology.objects.land];
const rings = geometries.flatMap(({ type, arcs: parts }) => (type === 'Polygon' ? parts : parts.flat())).map(ringOf);
const text = rings.map(pathOf).join('');
const lines = text.match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')).map((line) => `  '${line}',`);
const file = path.join(root, 'packages', 'dashboard-ui', 'src', 'generated', 'coastlines.ts');
fs.writeFileSync(
  file,
  `// Written by scripts/coastlines.mjs out of Natural Earth's land at 1:110 million (public domain).
/** Land as a path in a square of ${SIDE} × ${SIDE} (Web Mercator). */
export const LAND = [
${lines.join('\n')}
].join('');
`,
);
process.stdout.write(`${rings.length} rings, ${text.length} characters\n`);
