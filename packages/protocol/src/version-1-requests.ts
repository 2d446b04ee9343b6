import { decodeJson, encodeJson } from '@shoal/json';
import { decodeLimits, encodeLimits, type MessageLimits } from './access-limits.js';
import * as shard from './generated/shard.js';
import { sourceFilterOf } from './source-filter.js';

/** Requests of one action, rewritten at the end of a link to a node of version 1. */
interface Rewriting {
  readonly toVersion1: (request: Uint8Array) => Uint8Array;
  readonly fromVersion1: (request: Uint8Array) => Uint8Array;
}

type Json = Readonly<Record<string, unknown>>;
type Bytes = Uint8Array | undefined;

/** SearchOptions as version 1 has them. `after` is base64, null for a shard of which no hit was seen. */
interface OptionsJson extends Omit<shard.SearchOptions, 'requestCache' | 'after'> {
  readonly requestCache: boolean | null;
  readonly after?: readonly (string | null)[];
}

const NO_BYTES = new Uint8Array(0);
const NO_OPTIONS = shard.decodeSearchOptions(NO_BYTES);

const jsonOf = (bytes: Bytes): Json => (bytes && bytes.length > 0 ? (decodeJson(bytes) as Json) : {});

function optionsToJson(bytes: Uint8Array): Uint8Array {
  const { after, requestCache, ...same } = shard.decodeSearchOptions(bytes);
  const json: OptionsJson = {
    ...same,
    requestCache: requestCache ?? null,
    ...(after.length === 0
      ? {}
      : { after: after.map((last) => (last.length === 0 ? null : Buffer.from(last).toString('base64'))) }),
  };
  return encodeJson(json);
}

function optionsFromJson(bytes: Bytes): Uint8Array {
  const json = jsonOf(bytes) as Partial<OptionsJson>;
  return shard.encodeSearchOptions({
    ...NO_OPTIONS,
    ...json,
    requestCache: json.requestCache ?? undefined,
    after: (json.after ?? []).map((last) => (last === null ? NO_BYTES : Buffer.from(last, 'base64'))),
  });
}

/** What has limits: in version 1 they are JSON in a field of their own. */
interface Limited {
  access?: Bytes;
  accessJson?: Bytes;
}

const limitsToJson = <T extends Limited>(limited: T): T =>
  limited.access ? { ...limited, access: undefined, accessJson: encodeJson(decodeLimits(limited.access)) } : limited;
const limitsFromJson = <T extends Limited>(limited: T): T =>
  limited.accessJson && limited.accessJson.length > 0
    ? { ...limited, access: encodeLimits(decodeJson(limited.accessJson) as MessageLimits), accessJson: undefined }
    : limited;

/** What names the client's request. */
interface Called {
  caller?: shard.Caller | undefined;
  callerJson?: string | undefined;
}

const callerToJson = <T extends Called>(called: T): T =>
  called.caller
    ? {
        ...called,
        caller: undefined,
        callerJson: JSON.stringify({ 'X-Opaque-Id': called.caller.opaqueId, 'trace.id': called.caller.traceId }),
      }
    : called;

function callerFromJson<T extends Called>(called: T): T {
  if (called.callerJson === undefined) return called;
  const json = JSON.parse(called.callerJson) as { 'X-Opaque-Id'?: string; 'trace.id'?: string };
  const caller: shard.Caller = { opaqueId: json['X-Opaque-Id'], traceId: json['trace.id'] };
  return { ...called, caller, callerJson: undefined };
}

const sourceJson = ({ none, includes, excludes }: shard.SourceFilter): unknown =>
  none ? false : includes.length + excludes.length === 0 ? true : { includes, excludes };

function writeToJson(item: shard.WriteItem): shard.WriteItem {
  const { updateOptions, dynamicTemplates, ...same } = item;
  if (!updateOptions && !dynamicTemplates) return item;
  return {
    ...same,
    updateOptionsJson: updateOptions?.source && encodeJson({ _source: sourceJson(updateOptions.source) }),
    dynamicTemplatesJson:
      dynamicTemplates && encodeJson(Object.fromEntries(dynamicTemplates.templates.map((one) => [one.path, one.name]))),
  };
}

function writeFromJson(item: shard.WriteItem): shard.WriteItem {
  const { updateOptionsJson, dynamicTemplatesJson, ...same } = item;
  if (!updateOptionsJson && !dynamicTemplatesJson) return item;
  const templates = Object.entries(jsonOf(dynamicTemplatesJson)).map(([path, name]) => ({ path, name: String(name) }));
  return {
    ...same,
    updateOptions: updateOptionsJson && { source: sourceFilterOf(jsonOf(updateOptionsJson)['_source']) },
    dynamicTemplates: dynamicTemplatesJson && { templates },
  };
}

function getToJson(item: shard.GetItem): shard.GetItem {
  const { options, ...same } = item;
  if (!options) return item;
  const { source, storedFields } = options;
  const json = {
    ...(source ? { _source: sourceJson(source) } : {}),
    ...(storedFields.length > 0 ? { stored_fields: storedFields } : {}),
  };
  return { ...same, optionsJson: encodeJson(json) };
}

function getFromJson(item: shard.GetItem): shard.GetItem {
  const { optionsJson, ...same } = item;
  if (!optionsJson || optionsJson.length === 0) return item;
  const json = jsonOf(optionsJson);
  const storedFields = ((json['stored_fields'] ?? []) as readonly unknown[]).map(String);
  return { ...same, options: { source: sourceFilterOf(json['_source']), storedFields } };
}

function rewriting<Request>(
  method: { encodeRequest(request: Request): Uint8Array; decodeRequest(bytes: Uint8Array): Request },
  toVersion1: (request: Request) => Request,
  fromVersion1: (request: Request) => Request,
): Rewriting {
  return {
    toVersion1: (bytes) => method.encodeRequest(toVersion1(method.decodeRequest(bytes))),
    fromVersion1: (bytes) => method.encodeRequest(fromVersion1(method.decodeRequest(bytes))),
  };
}

const { bulk, get, query, fetch, canMatch, openContexts, call } = shard.methods;

/** Version 1 has options, limits and callers as JSON in fields of their own; all other fields are the same. */
const REQUESTS: ReadonlyMap<string, Rewriting> = new Map<string, Rewriting>([
  [
    bulk.action,
    rewriting(
      bulk,
      (request) => callerToJson({ ...request, items: request.items.map(writeToJson) }),
      (request) => callerFromJson({ ...request, items: request.items.map(writeFromJson) }),
    ),
  ],
  [
    get.action,
    rewriting(
      get,
      (request) => limitsToJson({ ...request, items: request.items.map(getToJson) }),
      (request) => limitsFromJson({ ...request, items: request.items.map(getFromJson) }),
    ),
  ],
  [
    query.action,
    rewriting(
      query,
      (request) =>
        callerToJson({
          ...request,
          targets: request.targets.map(limitsToJson),
          options: NO_BYTES,
          optionsJson: optionsToJson(request.options),
        }),
      (request) =>
        callerFromJson({
          ...request,
          targets: request.targets.map(limitsFromJson),
          options: optionsFromJson(request.optionsJson),
          optionsJson: undefined,
        }),
    ),
  ],
  [
    fetch.action,
    rewriting(
      fetch,
      (request) =>
        callerToJson({
          ...request,
          target: request.target && limitsToJson(request.target),
          options: NO_BYTES,
          optionsJson: optionsToJson(request.options),
        }),
      (request) =>
        callerFromJson({
          ...request,
          target: request.target && limitsFromJson(request.target),
          options: optionsFromJson(request.optionsJson),
          optionsJson: undefined,
        }),
    ),
  ],
  [
    canMatch.action,
    rewriting(
      canMatch,
      (request) => ({
        ...request,
        targets: request.targets.map(limitsToJson),
        options: NO_BYTES,
        optionsJson: optionsToJson(request.options),
      }),
      (request) => ({
        ...request,
        targets: request.targets.map(limitsFromJson),
        options: optionsFromJson(request.optionsJson),
        optionsJson: undefined,
      }),
    ),
  ],
  [
    openContexts.action,
    rewriting(
      openContexts,
      (request) => ({ ...request, targets: request.targets.map(limitsToJson) }),
      (request) => ({ ...request, targets: request.targets.map(limitsFromJson) }),
    ),
  ],
  [call.action, rewriting(call, limitsToJson, limitsFromJson)],
]);

/** Returns a request of this build as a node of version 1 reads it. */
export function requestToVersion1(action: string, request: Uint8Array): Uint8Array {
  return REQUESTS.get(action)?.toVersion1(request) ?? request;
}

/** Returns a request of a node of version 1 as this build reads it. Throws if its JSON is broken. */
export function requestFromVersion1(action: string, request: Uint8Array): Uint8Array {
  return REQUESTS.get(action)?.fromVersion1(request) ?? request;
}
