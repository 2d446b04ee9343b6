import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import type { CalendarEvent } from '@shoal/learning';
import type { Random } from '@shoal/doors';
import { dateFormat } from '@shoal/values';
import type { KeptDocument, MlDocuments } from '../documents/ml-documents.js';
import { META_INDEX } from '../documents/ml-indices.js';
import { checkId, selectByExpression } from '../jobs/job-id.js';

const LIST_MAX = 10_000;
const EVENTS_MAX = 10_000;
const documentId = (id: string): string => `calendar_${id}`;
const missing = (id: string) => errors.resourceNotFound(`No calendar with id [${id}]`);
const DATES = dateFormat('strict_date_optional_time||epoch_millis');

function shown(source: JsonObject): JsonObject {
  const { type: _, ...json } = source;
  return json;
}

/** Returns the events of the calendars of a job, by its id and groups; `_all` calendars count for each job. */
export async function calendarEventsOf(documents: MlDocuments, names: readonly string[]): Promise<CalendarEvent[]> {
  const query = { bool: { filter: [{ term: { type: 'calendar' } }, { terms: { job_ids: [...names, '_all'] } }] } };
  const { hits } = await documents.search(META_INDEX, { size: LIST_MAX, query });
  const calendars = hits.map(({ source }) => String(source['calendar_id']));
  if (calendars.length === 0) return [];
  const found = await documents.search(META_INDEX, {
    size: EVENTS_MAX,
    query: { bool: { filter: [{ term: { type: 'scheduled_event' } }, { terms: { calendar_id: calendars } }] } },
  });
  const events = found.hits.map(({ source }) => ({
    description: String(source['description']),
    from: Number(source['start_time']) / 1000,
    to: Number(source['end_time']) / 1000,
  }));
  return events.sort((a, b) => a.from - b.from);
}

/** Calendars: times in which nothing is judged or learnt. */
export class Calendars {
  readonly #documents: MlDocuments;
  readonly #random: Random;
  /** Tells open jobs that their events have changed. */
  readonly #changed: () => Promise<void>;

  constructor(documents: MlDocuments, random: Random, changed: () => Promise<void>) {
    this.#documents = documents;
    this.#random = random;
    this.#changed = changed;
  }

  async put(id: string, body: unknown): Promise<JsonObject> {
    const reader = bodyReader('calendar', body ?? {});
    reader.onlyKeys(['calendar_id', 'job_ids', 'description']);
    checkId('calendar_id', id);
    const description = reader.optionalText('description');
    const source = {
      ...{ calendar_id: id, job_ids: reader.texts('job_ids'), type: 'calendar' },
      ...(description === null ? {} : { description }),
    };
    try {
      await this.#documents.put(META_INDEX, documentId(id), source, 'new', true);
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error;
      throw errors.resourceAlreadyExists(`Cannot create calendar with id [${id}] as it already exists`);
    }
    await this.#changed();
    return shown(source);
  }

  async find(expression: string, from: number, size: number): Promise<JsonObject> {
    const query = { term: { type: 'calendar' } };
    const { hits } = await this.#documents.search(META_INDEX, { size: LIST_MAX, query });
    const all = hits.map(({ source }) => ({ id: String(source['calendar_id']), json: shown(source) }));
    const found = selectByExpression(all, expression, true, missing);
    return { count: found.length, calendars: found.slice(from, from + size).map(({ json }) => json) };
  }

  async #get(id: string): Promise<KeptDocument> {
    const found = await this.#documents.get(META_INDEX, documentId(id));
    if (found === null) throw missing(id);
    return found;
  }

  /** Adds jobs to a calendar, or takes them from it. */
  async changeJobs(id: string, jobs: readonly string[], adds: boolean): Promise<JsonObject> {
    const found = await this.#get(id);
    const known = new Set(found.source['job_ids'] as readonly string[]);
    for (const job of jobs) {
      if (adds) known.add(job);
      else if (!known.delete(job))
        throw errors.resourceNotFound(`Cannot remove [${job}] as it is not present in calendar [${id}]`);
    }
    const source = { ...found.source, job_ids: [...known] };
    await this.#documents.put(META_INDEX, documentId(id), source, found, true);
    await this.#changed();
    return shown(source);
  }

  async remove(id: string): Promise<void> {
    await this.#get(id);
    await this.#documents.calls.deleteMatching(META_INDEX, { term: { calendar_id: id } });
    await this.#changed();
  }

  async addEvents(id: string, body: unknown): Promise<JsonObject> {
    const reader = bodyReader('post_calendar_event', body);
    reader.onlyKeys(['events', 'calendar_id']);
    await this.#get(id);
    const list = reader.optionalList('events') ?? [];
    if (list.length === 0) throw errors.illegalArgument('At least 1 event is required');
    if (list.length > EVENTS_MAX) throw errors.illegalArgument(`[events] has more than [${EVENTS_MAX}] events`);
    const events = list.map((one) => parseEvent(id, one, this.#random));
    for (const event of events) {
      const source = { ...event, type: 'scheduled_event' };
      await this.#documents.put(META_INDEX, `event_${String(event['event_id'])}`, source, null, false);
    }
    await this.#documents.refresh(META_INDEX);
    await this.#changed();
    return { events };
  }

  async events(id: string, start: number | null, end: number | null, from: number, size: number): Promise<JsonObject> {
    if (id !== '_all' && id !== '*') await this.#get(id);
    const filter: JsonObject[] = [{ term: { type: 'scheduled_event' } }];
    if (id !== '_all' && id !== '*') filter.push({ term: { calendar_id: id } });
    if (start !== null) filter.push({ range: { end_time: { gt: start } } });
    if (end !== null) filter.push({ range: { start_time: { lt: end } } });
    const body = { from, size, track_total_hits: true, query: { bool: { filter } }, sort: [{ start_time: 'asc' }] };
    const { total, hits } = await this.#documents.search(META_INDEX, body);
    return { count: total, events: hits.map(({ source }) => shown(source)) };
  }

  async removeEvent(id: string, eventId: string): Promise<void> {
    await this.#get(id);
    const found = await this.#documents.get(META_INDEX, `event_${eventId}`);
    if (found === null || found.source['calendar_id'] !== id)
      throw errors.resourceNotFound(`No event with id [${eventId}] in calendar [${id}]`);
    await this.#documents.remove(META_INDEX, `event_${eventId}`, true);
    await this.#changed();
  }
}

function timeOf(value: unknown, key: string): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') throw errors.illegalArgument(`Field [${key}] cannot be null`);
  try {
    return DATES.parseRounded(value, { roundUp: false, now: () => 0 });
  } catch {
    throw errors.illegalArgument(`unexpected value [${value}] for [${key}]`);
  }
}

function parseEvent(calendar: string, body: unknown, random: Random): JsonObject {
  const reader = bodyReader('scheduled_event', body);
  reader.onlyKeys(['description', 'start_time', 'end_time', 'calendar_id', 'event_id', 'type']);
  const description = reader.optionalText('description');
  if (description === null) throw errors.illegalArgument('Field [description] cannot be null');
  const given = body as JsonObject;
  const [start, end] = [timeOf(given['start_time'], 'start_time'), timeOf(given['end_time'], 'end_time')];
  if (end <= start) throw errors.illegalArgument(`Event start time [${start}] must come before end time [${end}]`);
  const id = Array.from({ length: 20 }, () => Math.floor(random.next() * 36).toString(36)).join('');
  return { ...{ calendar_id: calendar, event_id: id, description }, start_time: start, end_time: end };
}
