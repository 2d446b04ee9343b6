import { EARTH_RADIUS_METERS, haversineMeters, parseGeoPoint } from '@shoal/values';
import { boxDouble } from '../../runtime/boxes.js';
import type { FieldValues } from '../../runtime/field-values.js';
import { GeoPointValue } from '../../runtime/geo-point.js';
import { textOf } from '../../runtime/java-text.js';
import type { JavaArray } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';

const VALUES = 'org.elasticsearch.index.fielddata.ScriptDocValues';

function valuesRow(name: string, methods: ClassRow['methods'] = {}): ClassRow {
  return {
    name: `${VALUES}.${name}`,
    isUnimported: true,
    parents: ['java.util.List'],
    methods: { 'def getValue()': (values: FieldValues) => values.first(), ...methods },
  };
}

const pointOf = (values: FieldValues): GeoPointValue => values.first() as GeoPointValue;

/** Metres on a plane that touches the sphere between the points: good for short distances. */
function planeMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x = ((lon2 - lon1) * Math.PI) / 180;
  const y = ((lat2 - lat1) * Math.PI) / 180;
  const mean = ((lat1 + lat2) / 2) * (Math.PI / 180);
  return Math.sqrt((x * Math.cos(mean)) ** 2 + y ** 2) * EARTH_RADIUS_METERS;
}

type Distance = (lat1: number, lon1: number, lat2: number, lon2: number) => number;

const distance =
  (of: Distance) =>
  (values: FieldValues, lat: number, lon: number): number => {
    const point = pointOf(values);
    return of(point.lat, point.lon, lat, lon);
  };

const distanceOr =
  (of: Distance) =>
  (values: FieldValues, lat: number, lon: number, fallback: number): number =>
    values.length === 0 ? fallback : distance(of)(values, lat, lon);

function cellDistance(values: FieldValues, hash: string): number {
  const { lat, lon } = parseGeoPoint(hash)[0]!;
  return distance(haversineMeters)(values, lat, lon);
}

const geoRow = valuesRow('GeoPoints', {
  'double getLat()': (values: FieldValues) => pointOf(values).lat,
  'double getLon()': (values: FieldValues) => pointOf(values).lon,
  'List getLats()': (values: FieldValues) => [...values].map((point) => boxDouble((point as GeoPointValue).lat)),
  'List getLons()': (values: FieldValues) => [...values].map((point) => boxDouble((point as GeoPointValue).lon)),
  'double arcDistance(double,double)': distance(haversineMeters),
  'double arcDistanceWithDefault(double,double,double)': distanceOr(haversineMeters),
  'double planeDistance(double,double)': distance(planeMeters),
  'double planeDistanceWithDefault(double,double,double)': distanceOr(planeMeters),
  'double geohashDistance(String)': cellDistance,
  'double geohashDistanceWithDefault(String,double)': (values: FieldValues, hash: string, fallback: number) =>
    values.length === 0 ? fallback : cellDistance(values, hash),
});

/** Euclidean length of a vector. */
const lengthOf = ({ values }: JavaArray): number =>
  Math.sqrt((values as number[]).reduce((sum, value) => sum + value * value, 0));

/** Values of documents: `doc['f']`, points and vectors. */
export const SEARCH: AllowTable = [
  valuesRow('Longs'),
  valuesRow('Doubles'),
  valuesRow('Dates'),
  valuesRow('Booleans'),
  valuesRow('Strings'),
  valuesRow('BytesRefs'),
  valuesRow('DenseVectors', {
    'float[] getVectorValue()': (values: FieldValues) => values.first(),
    'double getMagnitude()': (values: FieldValues) => lengthOf(values.first() as JavaArray),
  }),
  geoRow,
  {
    name: 'org.elasticsearch.common.geo.GeoPoint',
    constructors: {
      '()': () => new GeoPointValue(0, 0),
      '(double,double)': (lat: number, lon: number) => new GeoPointValue(lat, lon),
    },
    methods: {
      'double getLat()': (point: GeoPointValue) => point.lat,
      'double getLon()': (point: GeoPointValue) => point.lon,
      'double lat()': (point: GeoPointValue) => point.lat,
      'double lon()': (point: GeoPointValue) => point.lon,
    },
  },
  { name: 'org.apache.lucene.util.BytesRef', methods: { 'String utf8ToString()': textOf } },
];
