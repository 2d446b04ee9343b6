// Load for drills: requests over kept connections with raw sockets, so that the generator takes little of the
// processors.
import net from 'node:net';
import { withLimit } from '../limits.mjs';

/**
 * One connection with one request at a time. `send(bytes)` resolves with { status, ms }, status 0 when the connection
 * broke.
 */
export function connect(port) {
  const socket = net.connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let waiting = null;
  let head = '';
  let left = -1;
  const done = (status) => {
    const { resolve, at } = waiting;
    waiting = null;
    head = '';
    left = -1;
    resolve({ status, ms: performance.now() - at });
  };
  socket.on('data', (chunk) => {
    if (waiting === null) return;
    if (left < 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      left = length - (head.length - end - 4);
    } else left -= chunk.length;
    if (left <= 0) done(Number(head.slice(9, 12)));
  });
  const broken = () => waiting !== null && done(0);
  socket.on('error', broken);
  socket.on('close', broken);
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        waiting = { resolve, at: performance.now() };
        if (socket.destroyed) done(0);
        else socket.write(bytes);
      }),
    close: () => socket.destroy(),
    get isOpen() {
      return !socket.destroyed;
    },
  };
}

/** The bytes of a request. */
export function requestBytes(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? '' : 'content-type: application/json\r\n';
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: n\r\n${type}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** Milliseconds within which a node answers, however loaded it and the machine are. */
export const LATE_MS = 60_000;

/**
 * Sends a request over each of new connections and waits for the answers: then they are accepted. All at once, because
 * one after the other hundreds take a minute on a machine that others use.
 */
export function greet(clients) {
  const answers = clients.map((client) => client.send(requestBytes('GET', '/')));
  return withLimit(Promise.all(answers), 'answers over new connections', LATE_MS);
}

export function percentile(values, part) {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Rates and times of `answers` ({ status, ms }) that came within `seconds`. */
export function summary(answers, seconds) {
  const of = (status) => answers.filter((answer) => answer.status === status).map(({ ms }) => ms);
  const [good, refused] = [of(200), of(429)];
  return {
    goodPerSecond: good.length / seconds,
    refusedPerSecond: refused.length / seconds,
    others: answers.length - good.length - refused.length,
    goodP50: percentile(good, 0.5),
    goodP99: percentile(good, 0.99),
    refusedP50: percentile(refused, 0.5),
    refusedP99: percentile(refused, 0.99),
  };
}

/** As fast as `connections` clients can that wait for each answer. */
export async function closedLoop(port, next, connections, seconds) {
  const end = performance.now() + seconds * 1000;
  const answers = [];
  const run = async () => {
    const client = connect(port);
    while (performance.now() < end) answers.push(await client.send(next()));
    client.close();
  };
  const all = Promise.all(Array.from({ length: connections }, run));
  await withLimit(all, 'answers of a closed loop', seconds * 1000 + LATE_MS);
  return summary(answers, seconds);
}

const SETTLE_SECONDS = 0.5;

/**
 * So many requests a second whatever becomes of them, over connections that are there before, as clients keep them: a
 * thread that works for milliseconds in a turn of its event loop accepts one new connection in each. Answers of the
 * first half second, while queues fill, are not counted.
 */
export async function openLoop(port, next, perSecond, seconds, connectionsMax) {
  const idle = Array.from({ length: connectionsMax }, () => connect(port));
  await greet(idle);
  const start = performance.now();
  const answers = [];
  const running = new Set();
  let [opened, sent, unsent, settling] = [connectionsMax, 0, 0, 0];
  const fire = () => {
    const client = idle.pop() ?? (opened < connectionsMax ? (opened++, connect(port)) : null);
    if (client === null) return void unsent++;
    const done = client.send(next()).then((answer) => {
      answers.push(answer);
      running.delete(done);
      if (client.isOpen) idle.push(client);
      else opened--;
    });
    running.add(done);
  };
  for (;;) {
    const elapsed = (performance.now() - start) / 1000;
    if (elapsed >= SETTLE_SECONDS + seconds) break;
    if (elapsed < SETTLE_SECONDS) settling = answers.length;
    for (; sent < elapsed * perSecond; sent++) fire();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const inTime = answers.length;
  const result = summary(answers.slice(settling, inTime), seconds);
  await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, 10_000))]);
  for (const client of idle) client.close();
  return { ...result, sent, unsent };
}
