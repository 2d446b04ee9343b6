import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object as the store keeps it. */
export interface StoredObject {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What a request may meet: an error, a connection that ends before or after the request was done, or no answer at all.
 */
export type Fault = { readonly status: number; readonly code: string } | 'cut' | 'cut-answer' | 'silence';

/** A store that speaks the part of S3 that repositories use, over HTTP, with one bucket. */
export interface ObjectStore {
  readonly endpoint: string;
  readonly objects: Map<string, StoredObject>;
  /** Uploads in parts that are neither complete nor given up. */
  readonly uploads: ReadonlyMap<string, unknown>;
  /** `METHOD key?query` of each request, refused ones included. */
  readonly requests: string[];
  /** Asked for each request before anything is done; returns what goes wrong with it. */
  fault: (request: string) => Fault | null;
  close(): Promise<void>;
}

/** The account and the bucket of a store. */
export interface ObjectStoreOptions {
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Names of a page of a listing. */
  readonly pageSize?: number;
  readonly port?: number;
}

interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    [this.status, this.code] = [status, code];
  }
}

const hash = (kind: string, content: Uint8Array | string): Buffer => createHash(kind).update(content).digest();
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The signature that a request should have, from what arrived. */
function expectedSignature(
  { method, url, headers }: Received,
  secretKey: string,
  scope: string,
  signed: string,
): string {
  const [date = '', region = '', service = '', end = ''] = scope.split('/');
  const query = url.search.slice(1).split('&').filter(Boolean).sort().join('&');
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonical = [method, url.pathname, query, lines.join(''), signed, String(headers['x-amz-content-sha256'])];
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash('sha256', canonical.join('\n')).toString('hex')];
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, date), region), service), end);
  return hmac(key, text.join('\n')).toString('hex');
}

function checkSignature(request: Received, { accessKey, secretKey }: ObjectStoreOptions): void {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, key, scope, signed, signature] = pattern.exec(request.headers.authorization ?? '') ?? [];
  if (key === undefined) throw new Refusal(403, 'AccessDenied');
  if (key !== accessKey) throw new Refusal(403, 'InvalidAccessKeyId');
  const unsigned = Object.keys(request.headers).find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signed!.split(';').includes(name),
  );
  if (unsigned !== undefined || expectedSignature(request, secretKey, scope!, signed!) !== signature)
    throw new Refusal(403, 'SignatureDoesNotMatch');
  if (hash('sha256', request.body).toString('hex') !== request.headers['x-amz-content-sha256'])
    throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  const md5 = request.headers['content-md5'];
  if (md5 !== undefined && md5 !== hash('md5', request.body).toString('base64')) throw new Refusal(400, 'BadDigest');
}

const kept = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^x-amz-(?:meta-|storage|acl|server-side)/.test(name) ? [[name, String(value)]] : [],
    ),
  );

const tagOf = (bytes: Buffer): string => `"${hash('md5', bytes).toString('hex')}"`;
const xml = (text: string): Buffer => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Upload {
  readonly headers: Record<string, string>;
  readonly parts: Map<number, Buffer>;
}

/** The objects of the bucket, and what requests do to them. */
class Contents {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  readonly #pageSize: number;
  #serial = 0;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  answer(request: Received, key: string): Answer {
    const { method, url, headers, body } = request;
    const query = url.searchParams;
    if (method === 'GET' && key === '') return this.#list(query);
    if (method === 'GET' || method === 'HEAD') return this.#get(key);
    if (method === 'POST' && query.has('delete')) return this.#deleteAll(body.toString());
    if (method === 'POST' && query.has('uploads')) return this.#begin(headers);
    if (query.has('uploadId')) return this.#upload(method, key, query, body);
    if (method === 'PUT') {
      this.objects.set(key, { bytes: body, headers: kept(headers) });
      return { status: 200, headers: { etag: tagOf(body) } };
    }
    this.objects.delete(key);
    return { status: 204 };
  }

  #get(key: string): Answer {
    const found = this.objects.get(key);
    if (!found) throw new Refusal(404, 'NoSuchKey');
    return { status: 200, headers: { ...found.headers, etag: tagOf(found.bytes) }, body: found.bytes };
  }

  #deleteAll(text: string): Answer {
    for (const [, key] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) this.objects.delete(key!.replaceAll('&amp;', '&'));
    return { status: 200, body: xml('<DeleteResult></DeleteResult>') };
  }

  #begin(headers: http.IncomingHttpHeaders): Answer {
    const id = `upload-${++this.#serial}`;
    this.uploads.set(id, { headers: kept(headers), parts: new Map() });
    return {
      status: 200,
      body: xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`),
    };
  }

  #upload(method: string, key: string, query: URLSearchParams, body: Buffer): Answer {
    const id = query.get('uploadId')!;
    const upload = this.uploads.get(id);
    if (!upload) throw new Refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: tagOf(body) } };
    }
    this.uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const parts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)].map(
      ([, number, tag]) => {
        const part = upload.parts.get(Number(number));
        if (!part || tagOf(part) !== tag) throw new Refusal(400, 'InvalidPart');
        return part;
      },
    );
    this.objects.set(key, { bytes: Buffer.concat(parts), headers: upload.headers });
    return { status: 200, body: xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>') };
  }

  #list(query: URLSearchParams): Answer {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
    const after = query.get('continuation-token') ?? '';
    const entries = new Map<string, string>();
    for (const [key, { bytes }] of [...this.objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      const name = end < 0 ? key : key.slice(0, end + 1);
      const shown = encodeURIComponent(name).replaceAll('%20', '+');
      entries.set(
        name,
        end < 0
          ? `<Contents><Key>${shown}</Key><Size>${bytes.length}</Size></Contents>`
          : `<CommonPrefixes><Prefix>${shown}</Prefix></CommonPrefixes>`,
      );
    }
    const names = [...entries.keys()].filter((name) => name > after);
    const page = names.slice(0, this.#pageSize);
    const isMore = page.length < names.length;
    const next = isMore ? `<NextContinuationToken>${page.at(-1)!}</NextContinuationToken>` : '';
    const content = page.map((name) => entries.get(name)).join('');
    return {
      status: 200,
      body: xml(`<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${content}</ListBucketResult>`),
    };
  }
}

async function received(request: http.IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  return { method: request.method!, url, headers: request.headers, body: Buffer.concat(chunks) };
}

function refused(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error;
  return {
    status: error.status,
    body: xml(`<Error><Code>${error.code}</Code><Message>refused &amp; why</Message></Error>`),
  };
}

/** Starts a store on a port of this machine. It refuses what is not signed with the keys of its account. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
  const contents = new Contents(options.pageSize ?? 1000);
  const bucketPath = `/${options.bucket}/`;
  const server = http.createServer();
  const store: { -readonly [Name in keyof ObjectStore]: ObjectStore[Name] } = {
    endpoint: '',
    objects: contents.objects,
    uploads: contents.uploads,
    requests: [],
    fault: () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const answerTo = (request: Received, line: string): Answer | 'cut' | 'silence' => {
    try {
      const fault = store.fault(line);
      if (fault === 'cut' || fault === 'silence') return fault;
      if (fault !== null && fault !== 'cut-answer') throw new Refusal(fault.status, fault.code);
      checkSignature(request, options);
      if (!request.url.pathname.startsWith(bucketPath)) throw new Refusal(404, 'NoSuchBucket');
      const answer = contents.answer(request, decodeURIComponent(request.url.pathname.slice(bucketPath.length)));
      return fault === 'cut-answer' ? 'cut' : answer;
    } catch (error) {
      return refused(error);
    }
  };
  server.on('request', (message, response) => {
    void received(message).then((request) => {
      const line = `${request.method} ${request.url.pathname}${request.url.search}`;
      store.requests.push(line);
      const answer = answerTo(request, line);
      if (answer === 'silence') return undefined;
      if (answer === 'cut') return response.destroy();
      const { status, headers = {}, body = Buffer.alloc(0) } = answer;
      response.writeHead(status, { 'content-length': body.length, ...headers });
      return response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  store.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return store;
}
