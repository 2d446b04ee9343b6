/** Counters of the HTTP server. */
export interface HttpStats {
  connectionsOpen: number;
  connectionsTotal: number;
  requestsTotal: number;
  requestsCurrent: number;
  /** Answers by status class: `[0, 1xx, 2xx, 3xx, 4xx, 5xx]`. */
  readonly answers: number[];
  bytesIn: number;
  bytesOut: number;
}

export function createHttpStats(): HttpStats {
  return { connectionsOpen: 0, connectionsTotal: 0, requestsTotal: 0, requestsCurrent: 0, answers: [0, 0, 0, 0, 0, 0], bytesIn: 0, bytesOut: 0 };
}
