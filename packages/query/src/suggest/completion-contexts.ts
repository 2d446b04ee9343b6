import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { isObject, type JsonObject } from '../parse/options.js';

interface WantedContext {
  readonly value: string;
  readonly boost: number;
  readonly isPrefix: boolean;
}

/** Contexts that a completion is restricted to, by name. */
export type ContextQuery = ReadonlyMap<string, readonly WantedContext[]>;

/** Reads `contexts` of a completion suggester: categories, each with a boost. */
export function parseContextQuery(value: unknown): ContextQuery | null {
  if (value === undefined) return null;
  if (!isObject(value)) throw errors.illegalArgument('contexts must be an object');
  return new Map(Object.entries(value).map(([name, given]) => [name, (Array.isArray(given) ? given : [given]).map(parseWanted)]));
}

function parseWanted(value: unknown): WantedContext {
  if (!isObject(value)) return { value: String(value), boost: 1, isPrefix: false };
  const { context, boost = 1, prefix = false } = value as JsonObject;
  if (typeof context === 'object') throw errors.illegalArgument('geo contexts are not supported in completion queries');
  return { value: String(context), boost: Number(boost), isPrefix: prefix === true };
}

/** What the weight of an entry with contexts is multiplied by; null when the query does not want it. */
export function contextBoost(query: ContextQuery | null, contexts: unknown, type: FieldType): number | null {
  const isContextual = type.toJson(false)['contexts'] !== undefined && type.toJson(false)['contexts'] !== null;
  if (!isContextual) return 1;
  if (!query || query.size === 0) throw errors.illegalArgument('Missing mandatory contexts in context query');
  if (!isObject(contexts)) return null;
  let best: number | null = null;
  for (const [name, wanted] of query) {
    const values = listOf(contexts[name]);
    for (const { value, boost, isPrefix } of wanted) {
      if (values.some((own) => own === value || (isPrefix && own.startsWith(value)))) best = Math.max(best ?? 0, boost);
    }
  }
  return best;
}

function listOf(value: unknown): string[] {
  return value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(String);
}
