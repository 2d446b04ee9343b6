import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { boxDouble, type CompiledScript, compile, isInline, readScript, type ScriptSource } from '@shoal/script';
import type { ParseSite } from '../aggregation-type.js';
import { type AggregationPath, parsePath, type PathOwner } from '../reduce/paths.js';
import type { ReducedBucket } from '../reduce/reduced.js';
import { type GapPolicy, gapValue, type PipelineBody } from './pipeline-request.js';

/** Paths to values of a bucket, by the names that a script gives them. */
export type NamedPaths = readonly (readonly [name: string, path: AggregationPath])[];

/** Reads `buckets_path` of a pipeline with a script: an object of paths, a list or a single one. */
export function namedPaths(body: PipelineBody, { name, body: json }: ParseSite): NamedPaths {
  const given = body.any('buckets_path');
  const place = { location: { container: json, key: 'buckets_path' } };
  if (given === undefined) throw errors.illegalArgument('Required [buckets_path]');
  if (typeof given === 'string') return [['_value', parsePath(given)]];
  if (Array.isArray(given)) return given.map((path, i) => [`_value${i}`, parsePath(String(path))] as const);
  if (!isPlainObject(given)) throw errors.parsing(`Unexpected token for [buckets_path] in [${name}].`, place);
  return Object.entries(given).map(([variable, path]) => [variable, parsePath(String(path))] as const);
}

/** Reads and compiles the script of a pipeline. */
export function pipelineScript(
  body: PipelineBody,
  context: string,
): { readonly compiled: CompiledScript; readonly source: ScriptSource } {
  const given = body.any('script');
  if (given === undefined) throw errors.illegalArgument('Required [script]');
  const source = readScript(given);
  if (!isInline(source)) throw errors.resourceNotFound(`unable to find script [${source.id}] in cluster state`);
  return { compiled: compile(source, context), source };
}

/** Values of a bucket as parameters of a script: Doubles; NaN or null where the gap policy passes over the bucket. */
export function valuesOf(
  paths: NamedPaths,
  bucket: ReducedBucket,
  policy: GapPolicy,
  owner: PathOwner,
): { readonly values: Record<string, unknown>; readonly hasGap: boolean } {
  const values: Record<string, unknown> = {};
  let hasGap = false;
  for (const [variable, path] of paths) {
    const value = gapValue(bucket, path, policy, owner);
    hasGap ||= value === null;
    values[variable] = boxDouble(value ?? Number.NaN);
  }
  return { values, hasGap };
}

/** Parameters of the script with the values of a bucket, which the script cannot change. */
export function withParams(source: ScriptSource, values: Record<string, unknown>): Readonly<Record<string, unknown>> {
  return Object.freeze({ ...source.params, ...values });
}
