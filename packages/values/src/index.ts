export { formatByteSize, parseByteSize } from './byte-size.js';
export { decimalFormat } from './decimal-format.js';
export { formatDouble } from './double-text.js';
export { featureOfFrequency, frequencyOfFeature } from './feature-frequency.js';
export { formatFloat } from './float-text.js';
export { hasSeriesRouting, isSeriesMode, SERIES_ROUTING } from './series-mode.js';
export { sortableBound } from './sortable-bits.js';
export { formatIp, ipNetwork, isIpv4, parseCidr, parseIp } from './ip.js';
export {
  BUILD,
  INDEX_VERSION,
  INDEX_VERSION_MIN,
  LUCENE_VERSION,
  TRANSPORT_VERSION,
  VERSION,
} from './version.js';
export { hashCode, hashOrder, mixBits } from './java-hash.js';
export { didYouMean, suggestNames } from './suggest-names.js';
export { matchesAny, matchesWildcard, selectNames } from './wildcards.js';
export { formatTimeValue, parseTimeValue } from './time-value.js';
export { isNamedFormat } from './date/builtin-formats.js';
export { type DateFormat, dateFormat, localDateFormat, type RoundedOptions } from './date/date-format.js';
export { civilFromDays, daysFromCivil } from './date/civil.kernel.js';
export { type JavaPattern, javaPattern, type ParsedDate, patternOf } from './date/java-pattern.js';
export { PatternBuilder } from './date/pattern-builder.js';
export { applyDateMath } from './date/date-math.js';
export {
  type CalendarUnit,
  calendarRounding,
  fixedRounding,
  type IntervalRounding,
  type Rounding,
} from './date/rounding.js';
export { formatOffset, timeZone, UTC, type Zone } from './date/zone.js';
export {
  distanceUnitMeters,
  EARTH_RADIUS_METERS,
  haversineMeters,
  parseDistance,
  planeMeters,
} from './geo/distance.js';
export { decodeLat, decodeLon, encodeLat, encodeLon } from './geo/encoding.js';
export { type GeoPoint, parseGeoPoint } from './geo/geo-point.js';
export { normalizePoint } from './geo/normalize-point.js';
export { type Geometry, type GeometryOptions, geometryWkt, parseGeometry } from './geo/geometry.js';
export { shapeQueryTerms, shapeTerms } from './geo/shape-cells.js';
export { decodeParts, encodeParts, type ShapePart, shapeParts } from './geo/shape-parts.js';
export { PreparedPart, type ShapeRelation, shapesRelate } from './geo/shape-relation.js';
export { geoShapeOfWkt } from './geo/shape-wkt.js';
export { type GeoBox, geohashBox, geohashCell, geohashEncode, geohashText } from './geo/geohash.js';
export {
  GEOTILE_LAT_MAX,
  GEOTILE_ZOOM_MAX,
  geotileBox,
  geotileEncode,
  geotileX,
  geotileY,
  parseGeotile,
} from './geo/geotile.js';
export {
  type ExactJson,
  ExactNumber,
  exactText,
  parseExact,
  prettyJson,
  rawAt,
  rawElements,
  rawMembers,
} from './exact-json.js';
export {
  type FieldValues,
  type Hit,
  hitsOf,
  hitValues,
  joinedText,
  leavesOf,
  plainText,
  type ReadHit,
  readHit,
  summaryOf,
} from './search-hits.js';
export { csvCell, csvHead, csvLine } from './csv.js';
