// Asks `GET /` again and again from a thread of its own, so that what the attackers compute does not delay it.
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Milliseconds between an answer and the next question. */
const PAUSE_MS = 20;
/** An answer that takes longer has failed. */
const PATIENCE_MS = 120_000;

/**
 * Starts to ask. Resolves after the first answer; `stop` resolves after the answer that is under way, with
 * `{ p99Ms, worstMs, failed, count }`.
 */
export async function startProbe(port) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { port } });
  const messages = [];
  let wake = () => undefined;
  worker.on('message', (message) => {
    messages.push(message);
    wake();
  });
  const next = async () => {
    while (messages.length === 0) await new Promise((resolve) => (wake = resolve));
    return messages.shift();
  };
  await next();
  return {
    async stop() {
      worker.postMessage('stop');
      const figures = await next();
      await worker.terminate();
      return figures;
    },
  };
}

/** One `GET /`; resolves with whether it was answered. */
function ask(port, agent) {
  return new Promise((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', path: '/', agent, timeout: PATIENCE_MS }, (answer) => {
      answer.resume();
      // A node with security asks who it is; that is an answer, too.
      answer.on('end', () => resolve(answer.statusCode === 200 || answer.statusCode === 401));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

async function work({ port }) {
  const agent = new http.Agent({ keepAlive: true });
  const times = [];
  let [failed, isOver] = [0, false];
  parentPort.on('message', () => (isOver = true));
  await ask(port, agent);
  parentPort.postMessage('ready');
  while (!isOver) {
    const started = performance.now();
    if (!(await ask(port, agent))) failed++;
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  times.sort((a, b) => a - b);
  const at = Math.max(0, Math.ceil(times.length * 0.99) - 1);
  parentPort.postMessage({ p99Ms: times[at] ?? 0, worstMs: times.at(-1) ?? 0, failed, count: times.length });
}

if (!isMainThread && workerData?.port !== undefined) await work(workerData);
