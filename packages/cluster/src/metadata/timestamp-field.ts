import { errors } from '@shoal/errors';

type Definition = Readonly<Record<string, unknown>>;

/** Attributes that the timestamp of a data stream may have, and those that have an error of their own. */
const KNOWN = ['type', 'format', 'meta', 'ignore_malformed', 'null_value', 'index', 'doc_values'];

function faultOf({ type, ...field }: Definition): string | null {
  if (type !== 'date' && type !== 'date_nanos')
    return type === undefined || type === 'object'
      ? 'does not exist'
      : `is of type [${String(type)}], but [date,date_nanos] is expected`;
  if (field['index'] === false) return 'is not indexed';
  if (field['doc_values'] === false) return "doesn't have doc values";
  if (field['null_value'] !== undefined) return 'has disallowed [null_value] attribute specified';
  if (field['ignore_malformed'] === true) return 'has disallowed [ignore_malformed] attribute specified';
  const others = Object.keys(field).filter((key) => !KNOWN.includes(key));
  return others.length === 0 ? null : `has disallowed attributes: [${others.join(', ')}]`;
}

/** Throws illegal_argument_exception unless the definition of `@timestamp` is one for a data stream. */
export function checkTimestampField(definition: Definition): void {
  const fault = faultOf(definition);
  if (fault !== null) throw errors.illegalArgument(`data stream timestamp field [@timestamp] ${fault}`);
}
