import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import { matchesWildcard, parseTimeValue } from '@shoal/values';
import { timeText } from '../jobs/time-text.js';

/** Where an alert is posted. */
export interface Webhook {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** With its query string. */
  readonly path: string;
}

/** `alert` of a job: which results become alerts, how often, and where they go. */
export interface AlertConfig {
  readonly on: 'record' | 'bucket' | 'influencer';
  /** Least initial score. */
  readonly score: number;
  /** Fields whose values tell alerts apart; null for the split fields of the detector, or the influencer. */
  readonly groupBy: readonly string[] | null;
  /** Seconds of the data after an alert in which its group has no other one. */
  readonly cooldownS: number;
  readonly index: string;
  readonly webhook: Webhook | null;
  readonly json: JsonObject;
}

export const ALERTS_INDEX = '.alerts-ml';
const KEYS = ['on', 'score', 'group_by', 'cooldown', 'index', 'webhook'];
const KINDS = ['record', 'bucket', 'influencer'];
const SCORE_DEFAULT = 75;
const COOLDOWN_DEFAULT = '1h';
const GROUP_FIELDS_MAX = 10;
const URL_LENGTH_MAX = 2048;
const INDEX = /^\.alerts-ml(?:-[a-z0-9_.-]{1,200})?$/;

/** Parses `alert` of a job whose results can be told apart by `fields`. */
export function parseAlert(body: JsonObject, fields: readonly string[]): AlertConfig {
  const reader = bodyReader('alert', body);
  reader.onlyKeys(KEYS);
  const on = reader.optionalText('on') ?? 'record';
  if (!KINDS.includes(on)) throw errors.illegalArgument(`[alert.on] must be one of [${KINDS.join(', ')}]: [${on}]`);
  const score = reader.optionalNumber('score') ?? SCORE_DEFAULT;
  if (!(score > 0 && score <= 100)) throw errors.illegalArgument(`[alert.score] must be within (0, 100]: [${score}]`);
  const groupBy = body['group_by'] === undefined ? null : reader.texts('group_by');
  checkGroups(groupBy, on, fields);
  const cooldown = reader.optionalText('cooldown') ?? COOLDOWN_DEFAULT;
  const cooldownMs = parseTimeValue(cooldown, 'alert.cooldown');
  if (cooldownMs < 0) throw errors.illegalArgument(`[alert.cooldown] must not be negative: [${cooldown}]`);
  const index = reader.optionalText('index') ?? ALERTS_INDEX;
  // Alerts are written as the node itself, which may write everywhere.
  if (!INDEX.test(index))
    throw errors.illegalArgument(
      `[alert.index] must be [${ALERTS_INDEX}] or begin with [${ALERTS_INDEX}-]: [${index}]`,
    );
  const url = reader.optionalText('webhook');
  const json = {
    ...{ on, score, ...(groupBy === null ? {} : { group_by: groupBy }), cooldown: timeText(cooldownMs), index },
    ...(url === null ? {} : { webhook: url }),
  };
  const webhook = url === null ? null : parseWebhook(url);
  return { on: on as AlertConfig['on'], score, groupBy, cooldownS: cooldownMs / 1000, index, webhook, json };
}

function checkGroups(groupBy: readonly string[] | null, on: string, fields: readonly string[]): void {
  if (groupBy === null) return;
  if (on === 'bucket') throw errors.illegalArgument('[alert.group_by] has no meaning for alerts on buckets');
  if (groupBy.length > GROUP_FIELDS_MAX)
    throw errors.illegalArgument(`[alert.group_by] has more than [${GROUP_FIELDS_MAX}] fields`);
  const unknown = groupBy.find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw errors.illegalArgument(`[alert.group_by] names [${unknown}], which is no split field and no influencer`);
}

/** Parses the address of a webhook. */
export function parseWebhook(text: string): Webhook {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw errors.illegalArgument(`[alert.webhook] is no address: [${text.slice(0, URL_LENGTH_MAX)}]`);
  }
  if (text.length > URL_LENGTH_MAX || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw errors.illegalArgument('[alert.webhook] must be an address of http or https of at most 2048 characters');
  if (url.username !== '' || url.password !== '')
    throw errors.illegalArgument('[alert.webhook] must not hold a name or password: they would be shown to readers');
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
  return { scheme, host: url.hostname.replace(/^\[|\]$/g, ''), port, path: `${url.pathname}${url.search}` };
}

/** Throws illegal_argument_exception unless a webhook is among `allowed`: patterns `host:port` with `*`. */
export function checkWebhook({ host, port }: Webhook, allowed: readonly string[]): void {
  if (allowed.some((pattern) => matchesWildcard(pattern, `${host}:${port}`))) return;
  throw errors.illegalArgument(
    `[alert.webhook] [${host}:${port}] is not in the setting [shoal.ml.alerts.allowed_hosts]`,
  );
}
