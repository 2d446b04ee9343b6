import http, { type Server } from 'node:http';

/** A name or an address with an optional port; anything else in `Host` is no place to lead to. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i;

/**
 * A plain HTTP server that leads every address to HTTPS at `port`: to the same name that the browser asked for, or
 * to `publicBaseUrl`. It reads no body.
 */
export function createRedirectServer(port: number, publicBaseUrl: string | null): Server {
  return http.createServer((incoming, answer) => {
    const [, name] = HOST.exec(incoming.headers.host ?? '') ?? [];
    const origin =
      publicBaseUrl === null ? (name === undefined ? null : `https://${name}:${port}`) : originOf(publicBaseUrl);
    const path = incoming.url!;
    answer.setHeader('connection', 'close');
    if (origin === null || !/^\/(?![/\\])/.test(path)) return void answer.writeHead(400).end();
    answer.writeHead(302, { location: origin + path }).end();
  });
}

const originOf = (url: string): string => new URL(url).origin;
