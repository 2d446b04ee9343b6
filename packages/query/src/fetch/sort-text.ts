import { isObject } from '../parse/options.js';
import { floatText } from './float-text.js';

/** Which sort values are scores: those print as 32-bit floats. Null without sort. */
export function scorePositions(sort: unknown): readonly boolean[] | null {
  if (sort === undefined || sort === null) return null;
  return (Array.isArray(sort) ? sort : [sort]).map((key) => key === '_score' || (isObject(key) && Object.keys(key)[0] === '_score'));
}

/** The JSON text of a hit's sort values. */
export function sortText(values: readonly unknown[], isScore: readonly boolean[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += (i > 0 ? ',' : '') + valueText(values[i], isScore[i] ?? false);
  return `${text}]`;
}

function valueText(value: unknown, isScore: boolean): string {
  if (typeof value === 'number') {
    if (isScore) return floatText(value);
    return Number.isFinite(value) ? String(value) : `"${value}"`;
  }
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'null');
}
