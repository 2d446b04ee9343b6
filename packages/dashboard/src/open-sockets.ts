import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server. */
export interface OpenSockets {
  /** Ends connections on which no request is under way. */
  endIdle(): void;
}

/**
 * Follows the connections of a server. Node's own `closeIdleConnections` leaves those on which no request came yet,
 * which browsers open ahead: they would keep a server that closes until its time is over.
 */
export function followSockets(server: Server): OpenSockets {
  const open = new Set<Socket>();
  const busy = new Map<Socket, number>();
  const add = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', add);
  server.on('secureConnection', (socket: Socket) => {
    add(socket);
    // The connection below is ended with its own.
    for (const one of open) if (one !== socket && one.remotePort === socket.remotePort) open.delete(one);
  });
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    answer.once('close', () => {
      const left = busy.get(socket)! - 1;
      if (left === 0) busy.delete(socket);
      else busy.set(socket, left);
    });
  });
  return {
    endIdle() {
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    },
  };
}
