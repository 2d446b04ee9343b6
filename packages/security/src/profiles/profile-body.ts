import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { checkKeys, failValidation } from '../body-checks.js';
import type { ProfileSuggestion } from './suggest-profiles.js';

const SIZE = 10;
/** Most profiles in one answer: the result window of a search. */
const SIZE_MAX = 10_000;

function objectAt(body: JsonObject, key: string, what: string): JsonObject {
  const value = body[key] ?? {};
  if (!isPlainObject(value)) throw errors.xContentParse(`[${what}] failed to parse field [${key}]: expected an object`);
  return value;
}

/** A string or a list of strings of a body; null if absent. */
export function textsAt(body: JsonObject, key: string, what: string): readonly string[] | null {
  const value = body[key];
  if (value === undefined) return null;
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || list.some((text) => typeof text !== 'string'))
    throw errors.xContentParse(`[${what}] failed to parse field [${key}]: expected strings`);
  return list as readonly string[];
}

/** Parses `{labels, data}`; throws for invalid application names: a name with a dot would be a path. */
export function parseProfileData(body: JsonObject): {
  readonly labels: JsonObject;
  readonly data: JsonObject;
  readonly applications: readonly string[];
} {
  checkKeys(body, ['labels', 'data'], (key) =>
    errors.xContentParse(`[update_profile_data_request_payload] unknown field [${key}]`),
  );
  const labels = objectAt(body, 'labels', 'update_profile_data_request_payload');
  const data = objectAt(body, 'data', 'update_profile_data_request_payload');
  const applications = [...new Set([...Object.keys(labels), ...Object.keys(data)])];
  const dotted = applications.filter((name) => name.includes('.'));
  const hidden = applications.filter((name) => name.startsWith('_'));
  failValidation([
    ...(dotted.length === 0 ? [] : [`application name must not contain dot, but found [${dotted.join(',')}]`]),
    ...(hidden.length === 0
      ? []
      : [`application name must not start with underscore, but found [${hidden.join(',')}]`]),
    ...(applications.length === 0 ? ['update request is empty'] : []),
  ]);
  return { labels, data, applications };
}

function hintedLabelOf(hint: JsonObject): ProfileSuggestion['hintedLabel'] {
  const labels = objectAt(hint, 'labels', 'hint');
  const paths = Object.keys(labels);
  if (hint['labels'] === undefined) return null;
  if (paths.length !== 1) failValidation([`[hint.labels] must have exactly one key, but found [${paths.join(',')}]`]);
  const values = textsAt(labels, paths[0]!, 'hint') ?? [];
  if (values.length === 0) failValidation(['[hint.labels] values cannot be empty']);
  return { path: paths[0]!, values };
}

/** Parses `{name, size, hint, data}`. */
export function parseSuggestion(body: JsonObject): ProfileSuggestion {
  checkKeys(body, ['name', 'size', 'data', 'hint'], (key) =>
    errors.xContentParse(`[suggest_profile] unknown field [${key}]`),
  );
  const { name = '', size = SIZE } = body;
  if (typeof name !== 'string')
    throw errors.xContentParse('[suggest_profile] failed to parse field [name]: expected a string');
  if (typeof size !== 'number' || !Number.isInteger(size))
    throw errors.xContentParse('[suggest_profile] failed to parse field [size]: expected an integer');
  if (size < 0 || size > SIZE_MAX)
    failValidation([`[size] parameter must be between [0] and [${SIZE_MAX}] but was [${size}]`]);
  const hint = objectAt(body, 'hint', 'suggest_profile');
  checkKeys(hint, ['uids', 'labels'], (key) => errors.xContentParse(`[hint] unknown field [${key}]`));
  const uids = textsAt(hint, 'uids', 'hint');
  if (uids?.length === 0) failValidation(['[hint.uids] cannot be empty']);
  return { name, size, hintedUids: uids ?? [], hintedLabel: hintedLabelOf(hint) };
}
