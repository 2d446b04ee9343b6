import { errors } from '@shoal/errors';

/** Format of a request body. */
export type BodyFormat = 'json' | 'ndjson' | 'yaml' | 'cbor';
/** Format of an answer. */
export type AnswerFormat = 'json' | 'yaml' | 'cbor' | 'text';

/** A parsed media type: its format, and the version in `compatible-with`. */
export interface MediaType {
  readonly format: BodyFormat | 'text';
  readonly compatibleWith: number | null;
}

const SUBTYPES = new Map<string, BodyFormat | 'text'>([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/yaml', 'yaml'],
  ['application/cbor', 'cbor'],
  ['text/plain', 'text'],
]);

/**
 * Parses a media type; null for an unknown one. A list of types says nothing, as in Elasticsearch: official clients
 * send `text/plain,application/json` for tables and expect text.
 */
export function parseMediaType(header: string): MediaType | null {
  return header.includes(',') ? null : parseSingle(header);
}

function parseSingle(header: string): MediaType | null {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const isVendor = type.startsWith('application/vnd.elasticsearch+');
  const plain = isVendor ? `application/${type.slice('application/vnd.elasticsearch+'.length)}` : type;
  const format = SUBTYPES.get(plain);
  if (!format) return null;
  const version = parameters.find((parameter) => parameter.startsWith('compatible-with='));
  return { format, compatibleWith: isVendor && version ? Number(version.slice('compatible-with='.length)) : null };
}

function refuse(reason: string): never {
  throw errors.mediaTypeHeader('Invalid media-type value on headers [Accept, Content-Type]', {
    cause: errors.status(reason),
  });
}

const shown = (header: string | undefined): string => (header === undefined || header === '*/*' ? 'null' : header);

function checkVersion(name: string, header: string | undefined, media: MediaType | null): void {
  const version = media?.compatibleWith ?? null;
  if (version === null || version === 7 || version === 8) return;
  refuse(`${name} version must be either version 8 or 7, but found ${version}. ${name}=${header}`);
}

/** Characters of a token of RFC 7230, of which a type and its subtype are made. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

function refuseContentType(reason: string): never {
  throw errors.mediaTypeHeader('Invalid media-type value on headers [Content-Type]', {
    cause: errors.illegalArgument(reason),
  });
}

/**
 * Parses `Content-Type`; null if the type is unknown. A list is unknown too: a browser lets any page send a header that
 * begins with `text/plain`, so what comes after a comma must not make it JSON. Throws for what is no media type at all.
 */
function parseContentType(header: string): MediaType | null {
  if (header.trim() === '' || header.includes(',')) return null;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  const parts = type.split('/').map((part) => part.trim());
  if (parts.length !== 2 || !parts.every((part) => TOKEN.test(part)))
    refuseContentType(`invalid media-type [${header}]`);
  if (parameters.some((parameter) => parameter !== '' && !/^[^=]+=[^=]+$/.test(parameter)))
    refuseContentType(`invalid parameters for header [${header}]`);
  return type.toLowerCase() === 'application/*' ? { format: 'json', compatibleWith: null } : parseSingle(header);
}

/** Result of `Accept` and `Content-Type` together. */
export interface Negotiated {
  readonly body: MediaType | null;
  readonly accept: MediaType | null;
  readonly compatibleWith7: boolean;
}

const PLAIN_JSON: Negotiated = { body: { format: 'json', compatibleWith: null }, accept: null, compatibleWith7: false };
const NOTHING: Negotiated = { body: null, accept: null, compatibleWith7: false };

function checkPair(
  accept: string | undefined,
  contentType: string | undefined,
  acceptMedia: MediaType | null,
  bodyMedia: MediaType | null,
): void {
  const wanted = acceptMedia?.compatibleWith ?? null;
  const sent = bodyMedia?.compatibleWith ?? null;
  const base =
    'A compatible version is required on both Content-Type and Accept headers if either one has requested a ' +
    'compatible version';
  const headers = `Accept=${shown(accept)}, Content-Type=${shown(contentType)}`;
  if ((sent ?? 8) !== (wanted ?? 8)) refuse(`${base} and the compatible versions must match. ${headers}`);
  if ((sent === null) !== (wanted === null)) refuse(`${base}. ${headers}`);
}

/** Parses `Accept` and `Content-Type`. The content type is ignored if `hasBody` is false. */
export function negotiate(accept: string | undefined, contentType: string | undefined, hasBody: boolean): Negotiated {
  if (accept === undefined || accept === '*/*') {
    if (!hasBody) return NOTHING;
    if (contentType === 'application/json') return PLAIN_JSON;
  }
  const acceptMedia = accept === undefined ? null : parseMediaType(accept);
  const bodyMedia = hasBody && contentType !== undefined ? parseContentType(contentType) : null;
  checkVersion('Accept', accept, acceptMedia);
  checkVersion('Content-Type', contentType, bodyMedia);
  if (hasBody) checkPair(accept, contentType, acceptMedia, bodyMedia);
  return { body: bodyMedia, accept: acceptMedia, compatibleWith7: acceptMedia?.compatibleWith === 7 };
}

/** Most pairs of headers in the cache: clients repeat theirs with each request. */
const REMEMBERED_MAX = 256;

/** Parses `Accept` and `Content-Type`, see `negotiate`. */
export type Negotiator = typeof negotiate;

/** Returns `negotiate` with a cache of results by headers. */
export function createNegotiator(): Negotiator {
  const known = new Map<string, Negotiated>();
  return (accept, contentType, hasBody) => {
    if (accept === undefined && !hasBody) return NOTHING;
    const key = hasBody ? `${accept}\n${contentType}` : `${accept}`;
    const found = known.get(key);
    if (found) return found;
    const negotiated = negotiate(accept, contentType, hasBody);
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(key, negotiated);
    return negotiated;
  };
}

const FORMATS = new Map<string, AnswerFormat>([
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['cbor', 'cbor'],
  ['txt', 'text'],
  ['text', 'text'],
]);

/** Format of the answer: from `?format=`, else `Accept`, else the format of the body, else JSON. */
export function answerFormat(parameter: string | undefined, negotiated: Negotiated): AnswerFormat {
  const named = parameter === undefined ? undefined : FORMATS.get(parameter);
  if (named) return named;
  const format = negotiated.accept?.format ?? negotiated.body?.format ?? 'json';
  return format === 'ndjson' ? 'json' : format;
}

const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  cbor: 'application/cbor',
  text: 'text/plain; charset=UTF-8',
};

/** `content-type` of an answer; a versioned type is returned as requested. */
export function contentTypeOf(format: AnswerFormat, negotiated: Negotiated): string {
  if (negotiated.accept === null) return CONTENT_TYPES[format];
  const version = negotiated.accept?.compatibleWith ?? null;
  if (version === null || format === 'text') return CONTENT_TYPES[format];
  return `application/vnd.elasticsearch+${format};compatible-with=${version}`;
}
