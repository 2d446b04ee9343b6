import { errors } from '@shoal/errors';
import { JsonText, setOwn, stringify } from '@shoal/json';
import { checkScriptType, compile, textOf } from '@shoal/script';
import { dateFormat, decodeLat, decodeLon, encodeLat, encodeLon, formatDouble, formatIp, parseIp } from '@shoal/values';
import { ACTIONS, accessOf } from '../access.js';
import { callShard } from '../admin/broadcast.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { readableIndex } from '../get/get.js';
import type { ExecuteRequest, ExecuteSetup } from './execute-request.js';

type Emitted = readonly (readonly unknown[])[];

/** Answer of a shard to the call `execute_script`. */
interface Executed {
  readonly result: unknown;
  readonly emitted: Emitted;
}

const DATE = dateFormat('strict_date_optional_time');

function addressText(value: unknown): string {
  const term = value === null ? null : parseIp(String(value));
  if (value !== null && term === null) throw errors.illegalArgument(`'${String(value)}' is not an IP string literal.`);
  return term === null ? 'null' : formatIp(term);
}

/** The point as an index would hold it, in GeoJSON. */
function pointJson([lat, lon]: readonly unknown[]): unknown {
  const coordinates = [decodeLon(encodeLon(Number(lon))), decodeLat(encodeLat(Number(lat)))];
  return { coordinates, type: 'Point' };
}

function bySubField(emitted: Emitted): Record<string, unknown> {
  const fields: Record<string, unknown[]> = {};
  for (const [name, value] of emitted) {
    const key = `composite_field.${String(name)}`;
    (fields[key] ??= []).push(value);
  }
  const result: Record<string, unknown> = {};
  for (const [key, values] of Object.entries(fields)) setOwn(result, key, values);
  return result;
}

/** Shows emitted values as a search's `fields` shows those of a runtime field of the kind. */
function emittedJson(context: string, emitted: Emitted): unknown {
  const values = emitted.map(([value]) => value);
  switch (context) {
    case 'composite_field':
      return bySubField(emitted);
    case 'boolean_field':
      return values.toSorted((a, b) => Number(a) - Number(b));
    case 'date_field':
      return values.map((value) => DATE.print(Number(value)));
    case 'double_field':
      return values.map((value) => new JsonText(formatDouble(Number(value))));
    case 'geo_point_field':
      return emitted.map(pointJson);
    case 'ip_field':
      return values.map(addressText);
    default:
      return values;
  }
}

async function onDocument(
  context: CoordinatorContext,
  { script, context: name }: ExecuteRequest,
  { index: indexName, document, query }: ExecuteSetup,
  call: CallContext,
): Promise<unknown> {
  const nowMs = context.clock.now();
  const { index } = readableIndex(context.cluster.state(), indexName, nowMs, accessOf(call, ACTIONS.search));
  compile(script, name);
  // As text, because a message would make `5.0` in the parameters a 5.
  const body = { script: stringify({ ...script, context: name }), document, query, nowMs };
  const { result, emitted } = (await callShard(context, index, 0, 'execute_script', body)) as Executed;
  if (name === 'filter') return result;
  return name === 'score' ? new JsonText(formatDouble(Number(result))) : emittedJson(name, emitted);
}

/**
 * Runs a script for `_scripts/painless/_execute` and returns its result: a text in the context `painless_test`, else
 * what the script makes of the document of the request. Throws script_exception.
 */
export async function executeScript(
  context: CoordinatorContext,
  request: ExecuteRequest,
  call: CallContext,
): Promise<unknown> {
  checkScriptType('inline');
  if (request.setup !== null) return onDocument(context, request, request.setup, call);
  const { script } = request;
  return textOf(compile(script, request.context).call([script.params]) as Parameters<typeof textOf>[0]);
}
