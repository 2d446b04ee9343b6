import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that are worked on at once. */
const WORKED_ON_MAX = 16;
/** With more bytes of answers that the client has not taken, its next request waits. */
const UNTAKEN_BYTES_MAX = 64 * 1024;
/** Requests that wait behind others of their connection, of all connections: about 5 KB each. */
const WAITING_MAX = 10_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Limits of pipelining. */
export interface PipeliningOptions {
  /** Unanswered requests of a connection; with more it is closed. */
  readonly pipelinedMax: number;
  /** Returns what notes a request of a connection; what that returns is called when the request is answered. */
  readonly noteOf: (socket: Socket) => () => () => void;
}

/** A connection with requests. */
interface Pipeline {
  /** Notes a request, see `PipeliningOptions`. */
  readonly note: () => () => void;
  workedOn: number;
  readonly waiting: Exchanged[];
}

/** A request with its response. */
interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A socket whose requests are counted. */
type PipelinedSocket = Socket & { pipeline?: Pipeline };

/**
 * Passes requests on to `handle`, so many of a connection at once, and the next only when the client takes its answers:
 * HTTP lets a client send thousands of requests without reading. Closes connections with too many of them.
 */
export function boundPipelining(handle: Handle, { pipelinedMax, noteOf }: PipeliningOptions): Handle {
  /** Requests that wait, of all connections. */
  let waitingCount = 0;
  const open = (socket: PipelinedSocket): Pipeline => {
    const pipeline: Pipeline = { note: noteOf(socket), workedOn: 0, waiting: [] };
    socket.once('close', () => {
      waitingCount -= pipeline.waiting.length;
      pipeline.waiting.length = 0;
    });
    return pipeline;
  };
  const start = (socket: PipelinedSocket, pipeline: Pipeline, { request, response }: Exchanged): void => {
    pipeline.workedOn++;
    const answered = pipeline.note();
    response.once('close', () => {
      pipeline.workedOn--;
      answered();
      goOn(socket, pipeline);
    });
    handle(request, response);
  };
  const goOn = (socket: PipelinedSocket, pipeline: Pipeline): void => {
    const { waiting } = pipeline;
    while (waiting.length > 0 && mayStart(socket, pipeline)) {
      waitingCount--;
      const next = waiting.shift()!;
      // Before the request starts: its body may still have to arrive.
      if (waiting.length === 0) socket.resume();
      start(socket, pipeline, next);
    }
  };
  return (request, response) => {
    const socket = request.socket as PipelinedSocket;
    const pipeline = (socket.pipeline ??= open(socket));
    const exchanged = { request, response };
    if (pipeline.waiting.length === 0 && mayStart(socket, pipeline)) return start(socket, pipeline, exchanged);
    if (pipeline.workedOn + pipeline.waiting.length >= pipelinedMax || waitingCount >= WAITING_MAX)
      return void socket.destroy();
    waitingCount++;
    pipeline.waiting.push(exchanged);
    socket.pause();
  };
}

/** At least one request of a connection is worked on, however much the client has not taken. */
const mayStart = ({ writableLength }: Socket, { workedOn }: Pipeline): boolean =>
  workedOn === 0 || (workedOn < WORKED_ON_MAX && writableLength < UNTAKEN_BYTES_MAX);
