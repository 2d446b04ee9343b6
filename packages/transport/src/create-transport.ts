import { openTransport } from './transport.js';
import type { Transport, TransportOptions } from './types.js';

/**
 * Opens a transport over gRPC. Rejects with `i_o_exception` if no port is free. The gRPC library is loaded here,
 * because most threads have no links.
 */
export async function createTransport(options: TransportOptions): Promise<Transport> {
  const { grpcNetwork } = await import('./grpc-network.js');
  return openTransport(
    grpcNetwork({
      clock: options.clock,
      log: options.log,
      tls: options.tls ?? null,
      accepts: options.accepts ?? (() => true),
      connectionsMax: options.connectionsMax ?? Infinity,
    }),
    options,
  );
}
