import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { RerouteCommand } from './command.js';

type Values = Readonly<Record<string, unknown>>;

const FIELDS: Readonly<Record<RerouteCommand['kind'], readonly string[]>> = {
  move: ['index', 'shard', 'from_node', 'to_node'],
  cancel: ['index', 'shard', 'node', 'allow_primary'],
  allocate_replica: ['index', 'shard', 'node'],
  allocate_stale_primary: ['index', 'shard', 'node', 'accept_data_loss'],
  allocate_empty_primary: ['index', 'shard', 'node', 'accept_data_loss'],
};

const isKind = (name: string): name is RerouteCommand['kind'] => Object.hasOwn(FIELDS, name);
const isTrue = (value: unknown): boolean => value === true || value === 'true';

function checkFields(kind: RerouteCommand['kind'], values: Values): void {
  const unknown = Object.keys(values).find((key) => !FIELDS[kind].includes(key));
  if (unknown === undefined) return;
  if (kind === 'move' || kind === 'cancel') throw errors.parse(`[${kind}] command does not support field [${unknown}]`);
  throw errors.xContentParse(`[${kind}] unknown field [${unknown}]`, {
    location: { container: values, key: unknown, at: 'key' },
  });
}

function required(kind: RerouteCommand['kind'], values: Values, name: string): string {
  const value = values[name];
  if (value !== undefined && value !== null) return String(value);
  if (kind === 'move' || kind === 'cancel') throw errors.parse(`[${kind}] command missing the ${name} parameter`);
  throw errors.illegalArgument(`Argument [${name}] must be defined${name === 'shard' ? ' and non-negative' : ''}`);
}

function shardNumber(kind: RerouteCommand['kind'], values: Values): number {
  const text = required(kind, values, 'shard');
  if (!/^-?\d+$/.test(text)) throw errors.illegalArgument(`For input string: "${text}"`);
  return Number(text);
}

/** Parses one element of `commands`: an object with the name of the command as its key. */
export function parseRerouteCommand(command: unknown): RerouteCommand {
  const [kind, parameters] = (isPlainObject(command) ? Object.entries(command)[0] : undefined) ?? [];
  if (kind === undefined || !isKind(kind)) throw unknownCommand(command, kind ?? null);
  const values = isPlainObject(parameters) ? parameters : {};
  try {
    return commandOf(kind, values);
  } catch (error) {
    // The parser has read the parameters to their end by then.
    if (isApiError(error)) error.parserAt ??= { container: values, at: 'end' };
    throw error;
  }
}

function unknownCommand(command: unknown, kind: string | null): Error {
  const reason = `unknown field [${kind}]`;
  if (!isPlainObject(command)) return errors.namedObjectNotFound(reason);
  const location = kind === null ? { container: command, at: 'end' as const } : { container: command, key: kind };
  return errors.namedObjectNotFound(reason, { location });
}

function commandOf(kind: RerouteCommand['kind'], values: Values): RerouteCommand {
  checkFields(kind, values);
  const index = required(kind, values, 'index');
  const shard = shardNumber(kind, values);
  if (kind === 'move')
    return { kind, index, shard, from: required(kind, values, 'from_node'), to: required(kind, values, 'to_node') };
  const node = required(kind, values, 'node');
  if (kind === 'cancel') return { kind, index, shard, node, allowPrimary: isTrue(values['allow_primary']) };
  if (kind === 'allocate_replica') return { kind, index, shard, node };
  return { kind, index, shard, node, acceptDataLoss: isTrue(values['accept_data_loss']) };
}
