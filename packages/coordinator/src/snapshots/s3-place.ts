import { errors, toApiError, notBoolean } from '@shoal/errors';
import { parseByteSize, parseTimeValue } from '@shoal/values';

/** Where and how a repository of type `s3` keeps its objects. What is null is as the client's settings say. */
export interface S3Place {
  /** Name of the client (`s3.client.NAME.*`), which has the keys. */
  readonly client: string;
  readonly bucket: string;
  /** Objects larger than this are divided into several, in bytes; null: none are. */
  readonly chunkBytes: number | null;
  /** Objects larger than this are sent in parts of this size, in bytes. */
  readonly bufferBytes: number;
  readonly storageClass: string;
  readonly cannedAcl: string;
  readonly encrypts: boolean;
  readonly endpoint: string | null;
  readonly protocol: string | null;
  readonly region: string | null;
  readonly pathStyle: boolean | null;
  readonly readTimeoutMs: number | null;
  readonly maxRetries: number | null;
  readonly throttleRetries: boolean | null;
}

/** Begins the folders of repositories in object stores; no folder of a file system begins so. */
const SCHEME = 's3:';
const MIB = 1 << 20;
const [PART_BYTES_MIN, PART_BYTES_MAX] = [5 * MIB, 5 * 1024 * MIB];
const CHUNK_BYTES_MAX = 5 * MIB * MIB;

const STORAGE_CLASSES = ['standard', 'reduced_redundancy', 'standard_ia', 'onezone_ia', 'intelligent_tiering'];
const CANNED_ACLS = [
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'log-delivery-write',
  'bucket-owner-read',
  'bucket-owner-full-control',
];

type Settings = Readonly<Record<string, unknown>>;
type Reader<T> = (text: string, name: string) => T;

const text: Reader<string> = (value) => value;

const flag: Reader<boolean> = (value, name) => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw notBoolean(value, ` for setting [${name}].`);
};

const count: Reader<number> = (value, name) => {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw errors.illegalArgument(`Failed to parse value [${value}] for setting [${name}] must be >= 0`);
};

const bytes =
  (min: number, max: number, limits: readonly [string, string]): Reader<number> =>
  (value, name) => {
    const size = parseByteSize(value, name);
    if (size < min)
      throw errors.illegalArgument(`failed to parse value [${value}] for setting [${name}], must be >= [${limits[0]}]`);
    if (size > max)
      throw errors.illegalArgument(`failed to parse value [${value}] for setting [${name}], must be <= [${limits[1]}]`);
    return size;
  };

const oneOf =
  (values: readonly string[], refusal: (value: string) => string): Reader<string> =>
  (value) => {
    if (values.includes(value)) return value;
    throw errors.illegalArgument(refusal(value));
  };

const storageClass = oneOf(STORAGE_CLASSES, (value) =>
  value === 'glacier' ? 'Glacier storage class is not supported' : `\`${value}\` is not a valid S3 Storage Class.`,
);
const cannedAcl = oneOf(CANNED_ACLS, (value) => `cannedACL is not valid: [${value}]`);
const protocol = oneOf(['http', 'https'], (value) => `Unknown protocol [${value}], expected http or https`);

/** Settings of a repository of type s3 that are read here, and those of all repositories. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'bucket client base_path chunk_size buffer_size compress server_side_encryption canned_acl storage_class ' +
    'readonly max_snapshot_bytes_per_sec max_restore_bytes_per_sec endpoint protocol region path_style_access ' +
    'read_timeout max_retries use_throttle_retries disable_chunked_encoding'
  ).split(' '),
);

function checkNames(settings: Settings): void {
  const secret = ['access_key', 'secret_key', 'session_token'].find((name) => Object.hasOwn(settings, name));
  if (secret !== undefined)
    throw errors.illegalArgument(
      `Setting [${secret}] is insecure, but property [allow_insecure_settings] is not set: it belongs into the ` +
        `keystore as [s3.client.default.${secret}]`,
    );
  const odd = Object.keys(settings).find((name) => !KNOWN.has(name));
  if (odd !== undefined) throw errors.illegalArgument(`unknown setting [${odd}] of a repository of type [s3]`);
}

const BUCKET = /^[a-zA-Z0-9][\w.-]{1,254}$/;

function bucketOf(name: string | null): string {
  if (name === null || name === '') throw errors.illegalArgument('No bucket defined for s3 repository');
  if (!BUCKET.test(name)) throw errors.illegalArgument(`[${name}] is no name of a bucket`);
  return name;
}

/** Reads the settings of a repository of type `s3`. Throws illegal_argument_exception as 8.12 does. */
export function s3PlaceOf(settings: Settings): S3Place {
  checkNames(settings);
  function read<T>(name: string, reader: Reader<T>): T | null {
    const value = settings[name];
    if (value === undefined || value === null) return null;
    try {
      return reader(String(value), name);
    } catch (error) {
      throw errors.illegalArgument(toApiError(error).message);
    }
  }
  const [chunkBytes, given] = [
    read('chunk_size', bytes(PART_BYTES_MIN, CHUNK_BYTES_MAX, ['5mb', '5tb'])),
    read('buffer_size', bytes(PART_BYTES_MIN, PART_BYTES_MAX, ['5mb', '5gb'])),
  ];
  const bufferBytes = given ?? 100 * MIB;
  if (chunkBytes !== null && given !== null && chunkBytes < given)
    throw errors.illegalArgument(
      `chunk_size (${String(settings['chunk_size'])}) can't be lower than buffer_size (` +
        `${String(settings['buffer_size'])}).`,
    );
  return {
    client: read('client', text) ?? 'default',
    bucket: bucketOf(read('bucket', text)),
    chunkBytes,
    bufferBytes,
    storageClass: read('storage_class', storageClass) ?? 'standard',
    cannedAcl: read('canned_acl', cannedAcl) ?? 'private',
    encrypts: read('server_side_encryption', flag) ?? false,
    endpoint: read('endpoint', text),
    protocol: read('protocol', protocol),
    region: read('region', text),
    pathStyle: read('path_style_access', flag),
    readTimeoutMs: read('read_timeout', parseTimeValue),
    maxRetries: read('max_retries', count),
    throttleRetries: read('use_throttle_retries', flag),
  };
}

/**
 * Folder of a repository of type `s3`: how to reach the bucket, as one part of a path, then the path in the bucket. All
 * that reads and writes objects gets it with each path, so that no thread needs to know the repositories.
 */
export function s3Folder(settings: Settings): string {
  const place = s3PlaceOf(settings);
  const basePath = String(settings['base_path'] ?? '')
    .split('/')
    .filter((part) => part !== '');
  if (basePath.some((part) => part === '.' || part === '..' || part.includes('\0')))
    throw errors.illegalArgument(`[base_path] [${basePath.join('/')}] must not have parts [.] or [..]`);
  return [`${SCHEME}${encodeURIComponent(JSON.stringify(place))}`, ...basePath].join('/');
}

/** Whether a path is one of an object store. */
export const isS3Path = (path: string): boolean => path.startsWith(SCHEME);

/** Splits a path of an object store into how to reach it and the key of the object, '' for the whole bucket. */
export function readS3Path(path: string): { readonly place: S3Place; readonly key: string } {
  const end = path.indexOf('/');
  const [head, key] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end + 1)];
  try {
    return { place: JSON.parse(decodeURIComponent(head.slice(SCHEME.length))) as S3Place, key };
  } catch {
    throw errors.repository('a path of an object store cannot be read', { status: 400 });
  }
}
