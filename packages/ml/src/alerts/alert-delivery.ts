import { pause } from '@shoal/doors';
import { type JsonObject, stringify } from '@shoal/json';
import { ensureAlerts } from '../documents/ml-indices.js';
import type { JobConfig } from '../jobs/job-config.js';
import type { MlDoors } from '../ml-doors.js';
import type { ResultDocument } from '../results/result-lines.js';
import { type AlertConfig, checkWebhook, type Webhook } from './alert-config.js';

/** Tries of a webhook and the pause after the first one, which doubles; silence after which one is given up. */
const TRIES = 4;
const RETRY_MS = 1000;
const SILENCE_MS = 10_000;
/** Alerts that wait for their webhook; further ones are only written. */
const WAITING_MAX = 1000;
/** Webhooks of buckets that ended longer ago are not called: they come from history. */
const AGE_MOST_MS = 86_400_000;

/**
 * Writes the alerts of a job, once each: a document that is there already was written before the node died. Webhooks
 * are called beside the work of the job; the document says what became of it, so that the next owner of the job calls
 * those that were not. A webhook may be called twice if the node dies between the call and the note of it: both calls
 * have the same `idempotency-key`.
 */
export class AlertDelivery {
  readonly #doors: MlDoors;
  readonly #job: JobConfig;
  readonly #config: AlertConfig;
  readonly #end = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(doors: MlDoors, job: JobConfig, config: AlertConfig) {
    this.#doors = doors;
    this.#job = job;
    this.#config = config;
  }

  /** Calls the webhooks that an owner before has not. */
  async resume(): Promise<void> {
    if (this.#config.webhook === null) return;
    const filter = [{ term: { job_id: this.#job.id } }, { term: { 'webhook.status': 'pending' } }];
    await this.#doors.documents.refresh(this.#config.index);
    const { hits } = await this.#doors.documents.search(this.#config.index, {
      ...{ size: WAITING_MAX, query: { bool: { filter } } },
    });
    for (const { id, source } of hits) this.#enqueue({ id, source });
  }

  /** Writes alerts; those that were written before are left as they are. */
  async write(alerts: readonly ResultDocument[]): Promise<void> {
    if (alerts.length === 0) return;
    const { cluster, clock, documents } = this.#doors;
    await ensureAlerts(cluster, this.#config.index);
    for (const { id, source } of alerts) {
      const written = { ...source, created: clock.now() };
      try {
        await documents.put(this.#config.index, id, written, 'new', false);
      } catch (error) {
        if ((error as { status?: number }).status === 409) continue;
        throw error;
      }
      if (this.#config.webhook !== null) this.#enqueue({ id, source: written });
    }
  }

  /** Ends calls; those that are not made stay for the next owner. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#last;
  }

  #enqueue(alert: ResultDocument): void {
    if (this.#waiting >= WAITING_MAX) return;
    this.#waiting++;
    this.#last = this.#last
      .then(() => this.#deliver(alert))
      .catch((error: unknown) =>
        this.#doors.log.write('warn', 'the outcome of a webhook was not noted', { 'ml.job': this.#job.id, error }),
      )
      .finally(() => this.#waiting--);
  }

  async #deliver({ id, source }: ResultDocument): Promise<void> {
    if (this.#end.signal.aborted) return;
    const isOld = this.#doors.clock.now() - Number(source['end_timestamp']) > AGE_MOST_MS;
    const outcome = isOld
      ? { status: 'skipped', reason: 'the bucket ended more than a day ago' }
      : await this.#call(source);
    if (outcome === null) return;
    const webhook = { ...outcome, timestamp: this.#doors.clock.now() };
    await this.#doors.documents.put(this.#config.index, id, { ...source, webhook }, null, false);
  }

  /** Calls a webhook, some times if it fails. Null: the job ended meanwhile. */
  async #call(source: JsonObject): Promise<JsonObject | null> {
    const { clock } = this.#doors;
    let reason = '';
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (attempt > 0) await pause(clock, RETRY_MS * 2 ** (attempt - 1), this.#end.signal);
      if (this.#end.signal.aborted) return null;
      try {
        const status = await this.#post(this.#config.webhook!, source);
        if (status >= 200 && status < 300) return { status: 'sent', code: status };
        reason = `it answered with status [${status}]`;
      } catch (error) {
        reason = (error as Error).message;
      }
    }
    return { status: 'failed', reason };
  }

  async #post({ scheme, host, port, path }: Webhook, source: JsonObject): Promise<number> {
    // The setting may have changed since the job was made.
    checkWebhook({ scheme, host, port, path }, this.#doors.webhookHosts);
    const { webhook: _, ...alert } = source;
    const { status } = await this.#doors.remoteHttp(
      {
        source: {
          ...{ scheme, host, port, pathPrefix: '', username: null, password: null },
          headers: { 'idempotency-key': String(source['alert_id']) },
          ...{ connectTimeoutMs: SILENCE_MS, socketTimeoutMs: SILENCE_MS },
        },
        ...{ method: 'POST', path, body: Buffer.from(stringify(alert)) },
      },
      this.#end.signal,
    );
    return status;
  }
}
