import { boolean } from './boolean.js';
import { date, dateNanos } from './date.js';
import { double, float, halfFloat, scaledFloat } from './decimals.js';
import type { FieldTypeDefinition } from './definition.js';
import { geoPoint } from './geo-point.js';
import { ip } from './ip.js';
import { keyword } from './keyword.js';
import { text } from './text.js';
import { byte, integer, long, short, unsignedLong } from './whole-numbers.js';

/** Field types by the `type` of their definition. `object`, `nested` and `alias` are no field types: the tree knows them. */
export const fieldTypes: ReadonlyMap<string, FieldTypeDefinition> = new Map(
  [
    boolean, byte, date, dateNanos, double, float, geoPoint, halfFloat, integer, ip, keyword, long, scaledFloat, short, text, unsignedLong,
  ].map((definition) => [definition.name, definition]),
);
