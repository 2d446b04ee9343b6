import fs from 'node:fs';
import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import path from 'node:path';
import type { RemoteAnswer, RemoteHttp, RemoteRequest } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';

/** Longest answer of another cluster. */
const BODY_BYTES_MAX = 100 * 1024 * 1024;

function tlsOptions(settings: NodeSettings, confFolder: string): RequestOptions {
  const files = settings.list('reindex.ssl.certificate_authorities');
  const read = (file: string): string => {
    try {
      return fs.readFileSync(path.resolve(confFolder, file), 'utf8');
    } catch (error) {
      throw new ConfigurationError(
        `[reindex.ssl.certificate_authorities]: cannot read [${file}]: ${(error as Error).message}`,
      );
    }
  };
  const mode = settings.text('reindex.ssl.verification_mode') ?? 'full';
  return {
    ...(files.length === 0 ? {} : { ca: files.map(read) }),
    ...(mode === 'none' ? { rejectUnauthorized: false } : {}),
    ...(mode === 'certificate' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function headersOf({ source, body }: RemoteRequest): Record<string, string | number> {
  const { username, password, headers } = source;
  const basic = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  return {
    ...headers,
    'content-type': 'application/json',
    'content-length': body.length,
    ...(username === null ? {} : { authorization: `Basic ${basic}` }),
  };
}

/**
 * Returns the door by which documents of other clusters are read. Authorities are read at once. Throws
 * ConfigurationError for those that cannot be.
 */
export function remoteHttp(settings: NodeSettings, confFolder: string): RemoteHttp {
  const tls = tlsOptions(settings, confFolder);
  return (request, signal) =>
    new Promise((resolve, reject) => {
      const { source, method, path: target } = request;
      const where = `${source.host}:${source.port}`;
      const fail = (error: Error): void =>
        reject(errors.ioError(`cannot read from [${where}]: ${error.message}`, { status: 502 }));
      const sent = opened(
        source,
        {
          ...(source.scheme === 'https' ? tls : {}),
          host: source.host,
          port: source.port,
          method,
          path: `${source.pathPrefix}${target}`,
          headers: headersOf(request),
          signal,
        },
        (answer) => receive(answer, where).then(resolve, reject),
      );
      const connecting = setTimeout(() => sent.destroy(new Error('timed out connecting')), source.connectTimeoutMs);
      sent.on('socket', (socket) => {
        if (!socket.connecting) clearTimeout(connecting);
        socket.once('connect', () => clearTimeout(connecting));
      });
      sent.setTimeout(source.socketTimeoutMs, () => sent.destroy(new Error('timed out waiting for an answer')));
      sent.on('error', (error) => {
        clearTimeout(connecting);
        fail(error);
      });
      sent.end(request.body);
    });
}

/** Begins a request. Throws illegal_argument_exception for a header or a path prefix that HTTP does not have. */
function opened(
  { scheme }: RemoteRequest['source'],
  options: RequestOptions,
  receive: (answer: http.IncomingMessage) => void,
): http.ClientRequest {
  try {
    return (scheme === 'https' ? https : http).request(options, receive);
  } catch (error) {
    throw errors.illegalArgument(`[remote] cannot be asked: ${(error as Error).message}`);
  }
}

async function receive(answer: http.IncomingMessage, where: string): Promise<RemoteAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer) {
      length += (chunk as Buffer).length;
      if (length > BODY_BYTES_MAX) {
        answer.destroy();
        throw errors.illegalArgument('Remote responded with a chunk that was too large. Use a smaller batch size.');
      }
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if ((error as { type?: string }).type !== undefined) throw error;
    throw errors.ioError(`cannot read from [${where}]: ${(error as Error).message}`, { status: 502 });
  }
  return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks) };
}
