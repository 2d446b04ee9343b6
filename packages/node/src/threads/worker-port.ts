import type { MessagePort, TransferListItem, Worker } from 'node:worker_threads';
import type { Port } from '@shoal/transport';

/** Wraps a worker, or the port to its parent, as one end of a link. */
export function workerPort(worker: Worker | MessagePort): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as TransferListItem[]),
    onMessage: (listener) => void worker.on('message', listener),
  };
}
