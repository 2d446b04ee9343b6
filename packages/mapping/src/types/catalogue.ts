import { aggregateMetricDouble } from './aggregate-metric-double.js';
import { binary } from './binary.js';
import { boolean } from './boolean.js';
import { completion } from './completion.js';
import { constantKeyword } from './constant-keyword.js';
import { date } from './date.js';
import { dateNanos } from './date-nanos.js';
import { double, float, halfFloat, scaledFloat } from './decimals.js';
import type { FieldTypeDefinition } from './definition.js';
import { denseVector } from './dense-vector.js';
import { rankFeature, rankFeatures, sparseVector } from './features.js';
import { flattened } from './flattened.js';
import { geoPoint } from './geo-point.js';
import { geoShape } from './geo-shape.js';
import { ip } from './ip.js';
import { join } from './join.js';
import { keyword } from './keyword.js';
import { matchOnlyText } from './match-only-text.js';
import { percolator } from './percolator.js';
import { rangeTypes } from './ranges.js';
import { searchAsYouType } from './search-as-you-type.js';
import { text } from './text.js';
import { tokenCount } from './token-count.js';
import { unsignedLong } from './unsigned-long.js';
import { version } from './version.js';
import { byte, integer, long, short } from './whole-numbers.js';
import { wildcard } from './wildcard.js';

/** Field types by name. `object`, `nested` and `alias` are not field types; `tree/` handles them. */
export const fieldTypes: ReadonlyMap<string, FieldTypeDefinition> = new Map(
  [
    aggregateMetricDouble,
    binary,
    boolean,
    byte,
    completion,
    constantKeyword,
    date,
    dateNanos,
    denseVector,
    double,
    flattened,
    float,
    geoPoint,
    geoShape,
    halfFloat,
    integer,
    ip,
    join,
    keyword,
    long,
    matchOnlyText,
    percolator,
    rankFeature,
    rankFeatures,
    scaledFloat,
    searchAsYouType,
    short,
    sparseVector,
    text,
    tokenCount,
    unsignedLong,
    version,
    wildcard,
    ...rangeTypes,
  ].map((definition) => [definition.name, definition]),
);
