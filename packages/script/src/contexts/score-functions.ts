import { errors } from '@shoal/errors';
import { dateFormat, haversineMeters, parseDistance, parseGeoPoint, parseTimeValue } from '@shoal/values';
import type { GeoPointValue } from '../runtime/geo-point.js';
import type { ContextFunction } from './context.js';

const plain = (signature: string, implementation: ContextFunction['implementation']): ContextFunction => ({
  signature,
  variables: [],
  implementation,
});

/** Shapes of decays: the factor at a distance beyond the offset. Source: Elasticsearch reference, "Decay functions". */
const SHAPES: Readonly<Record<string, (scale: number, decay: number) => (distance: number) => number>> = {
  Linear: (scale, decay) => {
    const reach = scale / (1 - decay);
    return (distance) => Math.max(0, (reach - distance) / reach);
  },
  Exp: (scale, decay) => {
    const rate = Math.log(decay) / scale;
    return (distance) => Math.exp(rate * distance);
  },
  Gauss: (scale, decay) => {
    const variance = (0.5 * scale ** 2) / Math.log(decay);
    return (distance) => Math.exp((0.5 * distance ** 2) / variance);
  },
};

const DATES = dateFormat('strict_date_optional_time||epoch_millis');

/** Parses the origin of a decay of dates; date math may not begin with `now`. */
function originOf(text: string): number {
  return DATES.parseRounded(text, {
    roundUp: false,
    now: () => {
      throw errors.parse('could not read the current timestamp');
    },
  });
}

function decays(shape: string): readonly ContextFunction[] {
  const at = SHAPES[shape]!;
  const numeric = (origin: number, scale: number, offset: number, decay: number, value: number): number =>
    at(scale, decay)(Math.max(0, Math.abs(value - origin) - offset));
  const geo = (origin: string, scale: string, offset: string, decay: number, value: GeoPointValue): number => {
    const { lat, lon } = parseGeoPoint(origin)[0]!;
    const meters = haversineMeters(lat, lon, value.lat, value.lon);
    return at(parseDistance(scale), decay)(Math.max(0, meters - parseDistance(offset)));
  };
  const date = (origin: string, scale: string, offset: string, decay: number, value: { ms: number }): number =>
    numeric(originOf(origin), parseTimeValue(scale, 'scale'), parseTimeValue(offset, 'offset'), decay, value.ms);
  return [
    plain(`double decayNumeric${shape}(double,double,double,double,double)`, numeric),
    plain(`double decayGeo${shape}(String,String,String,double,GeoPoint)`, geo),
    plain(`double decayDate${shape}(String,String,String,double,ZonedDateTime)`, date),
  ];
}

/** Functions that scripts of scores may call. */
export const SCORE_FUNCTIONS: readonly ContextFunction[] = [
  plain('double saturation(double,double)', (value: number, k: number) => value / (k + value)),
  plain(
    'double sigmoid(double,double,double)',
    (value: number, k: number, a: number) => value ** a / (k ** a + value ** a),
  ),
  ...Object.keys(SHAPES).flatMap(decays),
];

/** Compares a list of numbers with the vector that the document has in a field. */
type CompareVectors = (measure: string, vector: unknown, field: string) => number;

/** Functions that compare a vector with that of the document: the host has the variable `#vectors`. */
export const VECTOR_FUNCTIONS: readonly ContextFunction[] = ['cosineSimilarity', 'dotProduct', 'l1norm', 'l2norm'].map(
  (measure): ContextFunction => ({
    signature: `double ${measure}(Object,String)`,
    variables: ['#vectors'],
    implementation: (compare: CompareVectors, vector: unknown, field: string) => compare(measure, vector, field),
  }),
);

/** Returns a number in [0, 1) for the document at which the host stands: by a field, or by its place for null. */
type NextRandom = (seed: number, field: string | null) => number;

/** Functions that give a document a random score, the same for the same seed: the host has the variable `#random`. */
export const RANDOM_SCORES: readonly ContextFunction[] = [
  {
    signature: 'double randomScore(int)',
    variables: ['#random'],
    implementation: (random: NextRandom, seed: number) => random(seed, null),
  },
  {
    signature: 'double randomScore(int,String)',
    variables: ['#random'],
    implementation: (random: NextRandom, seed: number, field: string) => random(seed, field),
  },
];
