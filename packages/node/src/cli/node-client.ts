import http from 'node:http';
import https from 'node:https';
import { CommandError } from './command-io.js';

/** Status and parsed body of an HTTP answer. */
export interface NodeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Calls a node. `body` is an object (sent as JSON) or lines of JSON (sent as NDJSON). Throws CommandError when the node
 * does not answer.
 */
export type NodeCall = (method: string, path: string, body?: object | string) => Promise<NodeAnswer>;

/** How a node is reached. */
export interface NodeAccess {
  readonly url: string;
  /** `name:password`; null without. */
  readonly credentials: string | null;
  /** Certificate of the authority (PEM) that a node with HTTPS is checked by; null: those that the system trusts. */
  readonly authority: Buffer | null;
  /** Takes any certificate. Only for an address of this machine, and credentials that are of no use elsewhere. */
  readonly isUnchecked?: boolean;
}

/** Returns calls to one node. */
export function nodeCaller({ url, credentials, authority, isUnchecked = false }: NodeAccess): NodeCall {
  const authorization =
    credentials === null ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const tls = { rejectUnauthorized: !isUnchecked, ...(authority === null ? {} : { ca: authority }) };
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const target = new URL(path, url);
      const options = { method, headers: { ...authorization, ...typeOf(body) } };
      const send =
        target.protocol === 'https:' ? https.request(target, { ...options, ...tls }) : http.request(target, options);
      send.on('error', (error) => reject(new CommandError(`the node at [${url}] does not answer: ${causeOf(error)}`)));
      send.on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', (error) => reject(new CommandError(`the node at [${url}] broke off: ${error.message}`)));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, body: parsed(Buffer.concat(chunks).toString('utf8')) }),
        );
      });
      send.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });
}

function typeOf(body: object | string | undefined): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' };
}

/** A refused connection to a name with several addresses has no message of its own. */
const causeOf = (error: Error): string => error.message || ((error as NodeJS.ErrnoException).code ?? error.name);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the reason of an error response, to be shown to the user. */
export function reasonOf({ status, body }: NodeAnswer): string {
  const { error } = (body ?? {}) as { error?: { reason?: string } | string };
  return typeof error === 'object' && error.reason !== undefined ? error.reason : `status [${status}]`;
}
