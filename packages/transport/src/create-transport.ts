import { openTransport } from './transport.js';
import type { Transport, TransportOptions } from './types.js';

/**
 * Links over gRPC. Rejects with `i_o_exception` when no port is free. The library is loaded now: most threads have no
 * links.
 */
export async function createTransport(options: TransportOptions): Promise<Transport> {
  const { grpcNetwork } = await import('./grpc-network.js');
  return openTransport(
    grpcNetwork({
      clock: options.clock,
      log: options.log,
      tls: options.tls ?? null,
      accepts: options.accepts ?? (() => true),
    }),
    options,
  );
}
