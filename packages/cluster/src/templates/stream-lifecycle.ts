import { errors } from '@shoal/errors';
import { tokenOf } from '@shoal/json';
import { didYouMean, parseTimeValue } from '@shoal/values';

type Json = Readonly<Record<string, unknown>>;

const KEYS = ['data_retention', 'enabled', 'downsampling'];

/**
 * Parses the lifecycle of a data stream as templates and `_lifecycle` have it. Throws x_content_parse_exception, and
 * illegal_argument_exception for `downsampling`, which is not in this version.
 */
export function parseStreamLifecycle(json: Json): Json {
  const odd = Object.keys(json).find((key) => !KEYS.includes(key));
  if (odd !== undefined)
    throw errors.xContentParse(`[lifecycle] unknown field [${odd}]${didYouMean(odd, KEYS)}`, {
      location: { container: json, key: odd, at: 'key' },
    });
  const { enabled = true, data_retention: retention = null, downsampling = null } = json;
  const refuse = (key: string): Error =>
    errors.xContentParse(`[lifecycle] ${key} doesn't support values of type: ${tokenOf(json[key])}`, {
      location: { container: json, key },
    });
  if (typeof enabled !== 'boolean') throw refuse('enabled');
  if (retention !== null && typeof retention !== 'string') throw refuse('data_retention');
  if (downsampling !== null) throw errors.illegalArgument('[downsampling] of a lifecycle is not in this version');
  if (retention !== null && parseTimeValue(retention, 'data_retention') <= 0)
    throw errors.illegalArgument(`[data_retention] must be greater than 0 but was [${retention}]`);
  return { enabled, ...(retention === null ? {} : { data_retention: retention }) };
}
