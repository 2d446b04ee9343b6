import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import {
  ACKNOWLEDGED,
  ADMIN,
  checkedPage,
  mlRoute,
  MONITOR,
  ok,
  optionsOf,
  PAGE_SIZE,
  pageIn,
  requiredBody,
} from './ml-route.js';

const CALENDARS = '/_ml/calendars';
const CALENDAR = `${CALENDARS}/{calendar_id}`;
const FILTERS = '/_ml/filters';
const FILTER = `${FILTERS}/{filter_id}`;
const PAGE = ['from', 'size'];

const calendarOf = ({ pathParams }: RestRequest): string => pathParams['calendar_id']!;
const filterOf = ({ pathParams }: RestRequest): string => pathParams['filter_id']!;
const jobsOf = ({ pathParams }: RestRequest): string[] => pathParams['job_id']!.split(',');

function pageOf(request: RestRequest): { from: number; size: number } {
  const options = optionsOf(request, PAGE);
  const page = (options['page'] ?? options) as { from?: unknown; size?: unknown };
  return checkedPage({ from: Number(page.from ?? 0), size: Number(page.size ?? PAGE_SIZE) });
}

async function getCalendars(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { from, size } = pageOf(request);
  return ok(await ml.calendars.find(request.pathParams['calendar_id'] ?? '_all', from, size));
}

async function putCalendar(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.calendars.put(calendarOf(request), request.hasBody ? request.json() : {}));
}

async function removeCalendar(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.calendars.remove(calendarOf(request));
  return ACKNOWLEDGED;
}

async function addJobs(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.calendars.changeJobs(calendarOf(request), jobsOf(request), true));
}

async function removeJobs(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.calendars.changeJobs(calendarOf(request), jobsOf(request), false));
}

async function getEvents(request: RestRequest, { ml, clock }: Services): Promise<RestResponse> {
  const { params } = request;
  const [start, end] = ['start', 'end'].map((name) => ml.resultTime(name, params.text(name), clock.now()));
  params.text('job_id');
  const { from, size } = pageIn(request);
  return ok(await ml.calendars.events(calendarOf(request), start!, end!, from, size));
}

async function addEvents(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.calendars.addEvents(calendarOf(request), requiredBody(request)));
}

async function removeEvent(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.calendars.removeEvent(calendarOf(request), request.pathParams['event_id']!);
  return ACKNOWLEDGED;
}

async function getFilters(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const { from, size } = pageIn(request);
  return ok(await ml.filters.find(request.pathParams['filter_id'] ?? '_all', from, size));
}

async function putFilter(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.filters.put(filterOf(request), requiredBody(request)));
}

async function updateFilter(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  return ok(await ml.filters.update(filterOf(request), requiredBody(request)));
}

async function removeFilter(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  const id = filterOf(request);
  const jobs = await ml.jobs.find('_all', true);
  const users = jobs.filter(({ config }) => config.detectors.some(({ filters }) => filters.includes(id)));
  await ml.filters.remove(
    id,
    users.map((job) => job.id),
  );
  return ACKNOWLEDGED;
}

export const routes: readonly Route<Services>[] = [
  ...[CALENDARS, CALENDAR].map((path) =>
    mlRoute(['GET', 'POST'], path, 'get_calendars', `${MONITOR}calendars/get`, PAGE, getCalendars, 'optional'),
  ),
  mlRoute('PUT', CALENDAR, 'put_calendar', `${ADMIN}calendars/put`, [], putCalendar, 'optional'),
  mlRoute('DELETE', CALENDAR, 'delete_calendar', `${ADMIN}calendars/delete`, [], removeCalendar),
  mlRoute('PUT', `${CALENDAR}/jobs/{job_id}`, 'put_calendar_job', `${ADMIN}calendars/jobs/update`, [], addJobs),
  mlRoute(
    'DELETE',
    `${CALENDAR}/jobs/{job_id}`,
    'delete_calendar_job',
    `${ADMIN}calendars/jobs/update`,
    [],
    removeJobs,
  ),
  mlRoute(
    'GET',
    `${CALENDAR}/events`,
    'get_calendar_events',
    `${MONITOR}calendars/events/get`,
    ['start', 'end', 'job_id', ...PAGE],
    getEvents,
  ),
  mlRoute(
    'POST',
    `${CALENDAR}/events`,
    'post_calendar_events',
    `${ADMIN}calendars/events/post`,
    [],
    addEvents,
    'required',
  ),
  mlRoute(
    'DELETE',
    `${CALENDAR}/events/{event_id}`,
    'delete_calendar_event',
    `${ADMIN}calendars/events/delete`,
    [],
    removeEvent,
  ),
  ...[FILTERS, FILTER].map((path) => mlRoute('GET', path, 'get_filters', `${ADMIN}filters/get`, PAGE, getFilters)),
  mlRoute('PUT', FILTER, 'put_filter', `${ADMIN}filters/put`, [], putFilter, 'required'),
  mlRoute('POST', `${FILTER}/_update`, 'update_filter', `${ADMIN}filters/update`, [], updateFilter, 'required'),
  mlRoute('DELETE', FILTER, 'delete_filter', `${ADMIN}filters/delete`, [], removeFilter),
];
