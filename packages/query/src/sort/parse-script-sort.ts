import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { text, unsupportedValue } from '../parse/options.js';
import { parseField } from '../parse/parse-field.js';
import type { ParseContext } from '../parsed-query.js';
import { scriptedField } from '../runtime/scripted-fields.js';
import { parseSearchScript } from '../scripts/segment-script.js';
import { parseNestedSort } from './parse-nested-sort.js';
import { sortMode, sortOrder } from './sort-options.js';
import type { NestedSort, ScriptSort, SortMode } from './sort-spec.js';

const KEYS = ['script', 'type', 'order', 'mode', 'nested'];

/** Parses `_script`: a script that makes the number, the text or the version by which a document is sorted. */
export function parseScriptSort(body: JsonObject, context: ParseContext): ScriptSort {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw errors.xContentParse(`[_script] unknown field [${unknown}]`, {
      location: { container: body, key: unknown, at: 'key' },
    });
  const place = (key: string): { type: string; container: object; key: string } => ({
    type: '_script',
    container: body,
    key,
  });
  if (body['script'] === undefined || body['type'] === undefined) {
    const names = ['script', 'type'].filter((key) => body[key] === undefined);
    throw errors.illegalArgument(`Required [${names.join(', ')}]`);
  }
  const type = text(body['type'], place('type')).toLowerCase();
  if (type !== 'number' && type !== 'string' && type !== 'version')
    throw errors.xContentParse('[_script] failed to parse field [type]', {
      location: place('type'),
      cause: errors.illegalArgument(`Unknown ScriptSortType [${type}]`),
    });
  const mode = scriptMode(type, body, place('mode'));
  const nested = nestedSort(body, context);
  const script = parseSearchScript(body['script'], type === 'number' ? 'number_sort' : 'string_sort');
  return {
    kind: 'script',
    script,
    order: body['order'] === undefined ? 'asc' : sortOrder(body['order'], place('order')),
    mode,
    nested,
    terms:
      type === 'number'
        ? null
        : scriptedField({
            script,
            input: null,
            type: type === 'version' ? 'version' : 'keyword',
            isOfNested: nested !== null,
          }),
  };
}

function nestedSort(body: JsonObject, context: ParseContext): NestedSort | null {
  const value = body['nested'];
  if (value === undefined) return null;
  if (!isPlainObject(value)) throw unsupportedValue('_script', 'nested', body);
  return parseField('_script', body, 'nested', () => parseNestedSort(value, context));
}

/** Parses the mode, null for none; texts and versions have no sum. */
function scriptMode(type: string, body: JsonObject, place: Parameters<typeof sortMode>[1]): SortMode | null {
  if (body['mode'] === undefined) return null;
  const mode = sortMode(body['mode'], place);
  if (type === 'number' || mode === 'min' || mode === 'max') return mode;
  throw errors.xContentParse('[_script] failed to parse field [mode]', {
    location: place,
    cause: errors.illegalArgument(`script sort of type [${type}] doesn't support mode [${mode}]`),
  });
}
