import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import type { Method, RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

export const ADMIN = 'cluster:admin/xpack/ml/';
export const MONITOR = 'cluster:monitor/xpack/ml/';

export const ok = (json: unknown): RestResponse => ({ status: 200, json });
export const ACKNOWLEDGED: RestResponse = ok({ acknowledged: true });

type Handle = Route<Services>['handle'];

/** Actions that change nothing that a cluster in upgrade mode must keep still; all others below ADMIN do. */
const HARMLESS = [
  ...['job/validate', 'job/validate/detector', 'job/estimate_model_memory', 'datafeeds/preview'],
  ...['filters/get', 'data_frame/analytics/preview', 'upgrade_mode'],
];
const CHANGES_NOTHING = new Set(HARMLESS.map((action) => ADMIN + action));

/** Makes a route of `ml.*`. What changes indices is refused while machine learning is held. */
export function mlRoute(
  methods: Method | readonly Method[],
  path: string,
  name: string,
  privilege: string,
  parameters: readonly string[],
  handle: Handle,
  body: Route<Services>['body'] = 'none',
): Route<Services> {
  const all = typeof methods === 'string' ? [methods] : methods;
  const isFree = !privilege.startsWith(ADMIN) || CHANGES_NOTHING.has(privilege);
  const guarded: Handle = (request, services) => {
    services.ml.checkNotHeld(privilege);
    return handle(request, services);
  };
  return { methods: all, path, name: `ml.${name}`, body, privilege, parameters, handle: isFree ? handle : guarded };
}

/** The body of a request as an object. Throws parse_exception without one. */
export function requiredBody(request: RestRequest): JsonObject {
  const body = request.json();
  if (isPlainObject(body)) return body;
  throw errors.parse('request body is required');
}

/** Options that are true or false. */
const FLAGS: readonly string[] = [
  'allow_no_match',
  'force',
  'close_job',
  'desc',
  'expand',
  'exclude_interim',
  'delete_intervening_results',
];

/** Throws 8.12's errors for options of a wrong kind. */
function checkKinds(options: JsonObject, path: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === null) continue;
    if (FLAGS.includes(name) && ![true, false, 'true', 'false', ''].includes(value as string))
      throw errors.illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
    const isRight = name === 'page' ? isPlainObject(value) : name !== 'sort' || typeof value === 'string';
    if (!isRight) throw errors.xContentParse(`[${path}] ${name} doesn't support values of type: ${tokenOf(value)}`);
  }
}

/** Which part of a list is asked for: `from`, `size`, of the parameters or a body's `page`. */
export interface Page {
  readonly from: number;
  readonly size: number;
}

/** Members of a page that does not say how many. */
export const PAGE_SIZE = 100;

/** Throws 8.12's errors for a page that begins or ends before a list. */
export function checkedPage(page: Page): Page {
  for (const name of ['from', 'size'] as const)
    if (!(page[name] >= 0)) throw errors.illegalArgument(`Parameter [${name}] cannot be < 0`);
  return page;
}

/** The page that parameters ask for. */
export const pageIn = ({ params }: Pick<RestRequest, 'params'>): Page =>
  checkedPage({ from: params.integer('from', 0), size: params.integer('size', PAGE_SIZE) });

/** Members of the body, and parameters that it does not name. */
export function optionsOf(request: RestRequest, names: readonly string[]): JsonObject {
  const body = request.hasBody ? request.json() : {};
  if (body !== undefined && !isPlainObject(body)) throw errors.parse('request body must be an object');
  const options: Record<string, unknown> = {};
  for (const name of names) {
    const text = request.params.text(name);
    if (text !== null) options[name] = text;
  }
  const own = (body ?? {}) as JsonObject;
  const unknown = Object.keys(own).find((key) => key !== 'page' && !names.includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[${request.path}] unknown field [${unknown}]`);
  const all = { ...options, ...own };
  checkKinds(all, request.path);
  return all;
}
