import { grpcNetwork } from './grpc-network.js';
import { openTransport } from './transport.js';
import type { Transport, TransportOptions } from './types.js';

/** Links over gRPC. Rejects with `i_o_exception` when no port is free. */
export function createTransport(options: TransportOptions): Promise<Transport> {
  return openTransport(grpcNetwork(), options);
}
