import type { Transport, TransportOptions } from '@shoal/transport';
import { processLimit } from '../security/bootstrap-checks.js';

/**
 * Shares of the files that the process may have open, for connections of clients, and for links at each of the two
 * ports. The rest is for stores (up to 64 table files for each shard), logs and the process itself.
 */
const HTTP_SHARE = 0.5;
const LINKS_SHARE = 1 / 16;

/** Connections that the open files of the process have room for; without a known limit as many as they like. */
export interface ConnectionsMax {
  readonly http: number;
  readonly links: number;
}

/** Returns how many connections a process that may open `filesMax` files takes. */
export function connectionsMax(filesMax: number | null = processLimit('Max open files')): ConnectionsMax {
  const files = filesMax ?? Infinity;
  return { http: Math.floor(files * HTTP_SHARE), links: Math.floor(files * LINKS_SHARE) };
}

type CreateTransport = (options: TransportOptions) => Promise<Transport>;

/** Returns `createTransport` with the limit for the links of a port. */
export const withConnectionsMax =
  (create: CreateTransport): CreateTransport =>
  (options) =>
    create({ ...options, connectionsMax: connectionsMax().links });
