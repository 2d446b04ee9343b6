/** Pause before a host that did not answer is tried again; doubles with each failure. */
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;

/** A node of the cluster as the settings name it. */
export interface ClusterHost {
  readonly url: URL;
  /** Failures in a row. */
  failures: number;
  /** Wall time in milliseconds before which others are preferred. */
  deadUntilMs: number;
}

/** The hosts of `elasticsearch.hosts`, and which one to ask. */
export class HostList {
  readonly #hosts: readonly ClusterHost[];
  /** The host that answered last. */
  #last: ClusterHost;

  constructor(urls: readonly URL[]) {
    this.#hosts = urls.map((url) => ({ url, failures: 0, deadUntilMs: 0 }));
    this.#last = this.#hosts[0]!;
  }

  /** All hosts in the order of asking: the one that answered last, others, then those that are dead, soonest first. */
  inOrder(nowMs: number): ClusterHost[] {
    const ofLast = this.#hosts.indexOf(this.#last);
    const turned = [...this.#hosts.slice(ofLast), ...this.#hosts.slice(0, ofLast)];
    const deadUntil = (host: ClusterHost): number => (host.deadUntilMs > nowMs ? host.deadUntilMs : 0);
    return turned.toSorted((a, b) => deadUntil(a) - deadUntil(b));
  }

  answered(host: ClusterHost): void {
    host.failures = 0;
    host.deadUntilMs = 0;
    this.#last = host;
  }

  /** Notes that a host refused a connection or did not answer in time. */
  failed(host: ClusterHost, nowMs: number): void {
    host.deadUntilMs = nowMs + Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(host.failures, 10));
    host.failures++;
  }
}
