import type { Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Log } from '@shoal/doors';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';

/** The two layers that listen on ports. */
export type Layer = 'http' | 'transport';

function addressOf(name: string): string {
  if (name === '_local_' || name === 'localhost') return '127.0.0.1';
  if (name !== '_site_' && name !== '_global_') return name;
  const found = Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry && !entry.internal && entry.family === 'IPv4');
  if (!found) throw new ConfigurationError(`no network interface has an address for [${name}]`);
  return found.address;
}

/**
 * Addresses that HTTP or the transport is bound to, by the most specific of `http.bind_host`, `http.host`,
 * `network.bind_host`, `network.host`.
 */
export function bindAddresses(settings: NodeSettings, layer: Layer): readonly string[] {
  const own = layer === 'http' ? ['http.bind_host', 'http.host'] : ['transport.host'];
  const names = [...own, 'network.bind_host', 'network.host']
    .map((name) => settings.list(name))
    .find((list) => list.length > 0)!;
  if (names.length > 1)
    throw new ConfigurationError(
      `${layer} is bound to one address, but [${names.join(', ')}] was given; 0.0.0.0 binds to all`,
    );
  return names.map(addressOf);
}

/** Returns the published address: what is configured, else the bound one. For 0.0.0.0 an address of this machine. */
export function publishAddress(settings: NodeSettings, bound: string, layer: Layer): string {
  const [named] = [...settings.list(`${layer}.publish_host`), ...settings.list('network.publish_host')];
  if (named !== undefined) return addressOf(named);
  if (bound !== '0.0.0.0' && bound !== '::') return bound;
  const found = Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry && !entry.internal && entry.family === 'IPv4');
  return found?.address ?? '127.0.0.1';
}

function tryPort(server: Server, host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', listening);
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(new ConfigurationError(`HTTP cannot be bound to ${host}:${port}: ${error.message}`));
    };
    const listening = (): void => {
      server.off('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ host, port, backlog: 1024 });
  });
}

/**
 * Binds to the first free port of the range. Throws ConfigurationError that names the port if none is free. Later
 * errors of the server are logged, and it goes on listening: for example a connection without a free file descriptor.
 */
export async function listen(
  server: Server,
  host: string,
  [first, last]: readonly [number, number],
  log: Log,
): Promise<number> {
  for (let port = first; port <= last; port++) {
    const bound = await tryPort(server, host, port);
    if (bound === null) continue;
    server.on('error', (error) =>
      log.write('error', 'the HTTP server reported an error', { error, 'server.port': bound }),
    );
    return bound;
  }
  const ports = first === last ? `port ${first} is` : `ports ${first}-${last} are`;
  throw new ConfigurationError(
    `HTTP ${ports} in use on ${host}; stop what listens there or choose another with http.port`,
  );
}
