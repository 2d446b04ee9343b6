import type { RuntimeValues, ValueQuery } from '@shoal/mapping';
import { latDegrees, lonDegrees, quantiseLat, quantiseLon } from '@shoal/segments';
import { termFinder } from '../execute/dictionary/find-terms.js';
import { areaTest } from '../execute/weights/geo-area.js';
import { isBetween } from '../execute/weights/term-range.js';
import type { GeoArea, RuntimeLeaf } from '../plan.js';

/** Tests the values of a runtime field in one document. */
export type ValueTest = (values: RuntimeValues) => boolean;

/** Returns the test that a plan makes of the values of its field. Throws for invalid patterns. */
export function valueTest(plan: RuntimeLeaf): ValueTest {
  switch (plan.kind) {
    case 'exists':
      return (values) => values.length > 0;
    case 'term':
      return (values) => values.includes(plan.term);
    case 'terms':
      return anyOf(plan.terms);
    case 'numbers':
      return anyOf(plan.values);
    case 'multiTerm': {
      const finder = termFinder(plan.match);
      return anyTerm((term) => finder.matches(term));
    }
    case 'geo':
      return areaValues(plan.area);
    case 'value':
      return valueQueryTest(plan.query);
  }
}

function anyOf(wanted: readonly (number | bigint | string)[]): ValueTest {
  const known = new Set(wanted);
  return (values) => values.some((value) => known.has(value));
}

function anyTerm(accepts: (term: string) => boolean): ValueTest {
  return (values) => values.some((value) => accepts(value as string));
}

function anyNumber(accepts: (value: number | bigint) => boolean): ValueTest {
  return (values) => values.some((value) => accepts(value as number | bigint));
}

/** Points are compared as columns hold them, in steps of a few centimetres. */
function areaValues(area: GeoArea): ValueTest {
  const { contains } = areaTest(area);
  return (values) => {
    for (let i = 0; i < values.length; i += 2) {
      const lat = latDegrees(quantiseLat(values[i] as number));
      if (contains(lat, lonDegrees(quantiseLon(values[i + 1] as number)))) return true;
    }
    return false;
  };
}

function valueQueryTest(query: ValueQuery): ValueTest {
  switch (query.kind) {
    case 'none':
      return () => false;
    case 'term':
      return (values) => values.includes(query.term);
    case 'terms':
      return anyTerm((term) => isBetween(term, query));
    case 'dictionary':
      return anyTerm(query.matches);
    default:
      return anyNumber((value) => value >= query.low && value <= query.high);
  }
}
