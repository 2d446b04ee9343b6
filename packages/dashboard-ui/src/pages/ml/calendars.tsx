import { useState } from 'preact/hooks';
import { instantOf } from '../../explore/time-range.js';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { clock } from '../../state/browser-clock.js';
import { formatDateTime } from '../../state/format.js';
import { addressOf, goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';

/** A calendar: jobs, or groups of them, that judge and learn nothing while one of its events lasts. */
interface Calendar {
  readonly calendar_id: string;
  readonly description?: string;
  readonly job_ids: readonly string[];
}

interface CalendarEvent {
  readonly event_id: string;
  readonly description: string;
  readonly start_time: number;
  readonly end_time: number;
}

/** Calendars and events that are read. */
const LIST_MAX = 1_000;
const calendarPath = (id: string): string => `/_ml/calendars/${encodeURIComponent(id)}`;
const pageOf = (id: string): string => `/app/ml?tab=calendars&calendar=${encodeURIComponent(id)}`;

const readCalendars = (answer: unknown): readonly Calendar[] =>
  ((answer ?? {}) as { readonly calendars?: readonly Calendar[] }).calendars ?? [];

const namesOf = (text: FormDataEntryValue | null): readonly string[] =>
  String(text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** All calendars. */
export function Calendars() {
  const list = useCall(`/_ml/calendars?size=${LIST_MAX}`);
  const [isNew, setNew] = useState(false);
  const [deleted, setDeleted] = useState<string | null>(null);
  const create = (form: FormData): Promise<Answer> => {
    const body = { description: String(form.get('description')), job_ids: namesOf(form.get('jobs')) };
    return clusterCall('PUT', calendarPath(String(form.get('name'))), { body });
  };
  return (
    <>
      <p>Jobs judge and learn nothing while an event of their calendars lasts: a holiday, planned work.</p>
      <div class="row">
        <button type="button" onClick={() => setNew(true)}>
          Create calendar
        </button>
      </div>
      <Loaded call={list}>{({ json }) => <CalendarTable rows={readCalendars(json)} onDelete={setDeleted} />}</Loaded>
      {isNew && (
        <FormDialog
          title="Create calendar"
          does="Create"
          run={create}
          onClose={() => setNew(false)}
          onDone={({ json }) => goTo(pageOf((json as Calendar).calendar_id))}
        >
          <TextField label="Name" name="name" isRequired isFirst />
          <TextField label="Description" name="description" />
          <TextField label="Jobs or groups, by commas; _all for all" name="jobs" value="_all" />
        </FormDialog>
      )}
      {deleted !== null && (
        <ConfirmDelete
          name={deleted}
          lost="Its events are lost."
          call={`DELETE ${calendarPath(deleted)}`}
          run={() => clusterCall('DELETE', calendarPath(deleted))}
          onClose={() => setDeleted(null)}
          onDone={list.again}
        />
      )}
    </>
  );
}

/** Props of the table. */
interface CalendarTableProps {
  readonly rows: readonly Calendar[];
  readonly onDelete: (id: string) => void;
}

const CalendarTable = ({ rows, onDelete }: CalendarTableProps) => (
  <DataTable
    caption="Calendars"
    rows={rows}
    keyOf={({ calendar_id: id }) => id}
    empty="There is no calendar yet."
    columns={[
      {
        name: 'Name',
        show: ({ calendar_id: id }) => <a href={addressOf(pageOf(id))}>{id}</a>,
        sort: ({ calendar_id: id }) => id,
      },
      { name: 'Description', show: ({ description }) => description ?? '' },
      { name: 'Jobs', show: ({ job_ids: jobs }) => jobs.join(', ') },
      {
        name: 'Actions',
        show: ({ calendar_id: id }) => (
          <button type="button" aria-label={`Delete ${id}`} onClick={() => onDelete(id)}>
            Delete
          </button>
        ),
      },
    ]}
  />
);

/** Writes an event; a text is what is wrong with the fields. */
function addEvent(calendar: string, form: FormData): Promise<Answer | string> {
  const now = clock.now();
  const from = instantOf(String(form.get('from')), now, false);
  const to = instantOf(String(form.get('to')), now, false);
  if (from === null || to === null)
    return Promise.resolve('From and To are dates as 2024-01-31T12:00, or dates as now+1d.');
  const event = { description: String(form.get('description')), start_time: from, end_time: to };
  return clusterCall('POST', `${calendarPath(calendar)}/events`, { body: { events: [event] } });
}

/** One calendar: its jobs and its events. */
export function CalendarView({ id }: { readonly id: string }) {
  const calendar = useCall(calendarPath(id));
  const [isAdding, setAdding] = useState(false);
  const changeJob = async (method: string, job: string): Promise<Answer> => {
    const answer = await clusterCall(method, `${calendarPath(id)}/jobs/${encodeURIComponent(job)}`);
    message.value = answer.status === 200 ? 'The calendar was changed.' : reasonOf(answer);
    calendar.again();
    return answer;
  };
  return (
    <>
      <p>
        <a href={addressOf('/app/ml?tab=calendars')}>Calendars</a>
      </p>
      <h1 tabIndex={-1}>{id}</h1>
      <Loaded call={calendar}>
        {({ json }) => {
          const [one] = readCalendars(json);
          return (
            <>
              {one?.description !== undefined && <p>{one.description}</p>}
              <ul aria-label="Jobs" class="row">
                {(one?.job_ids ?? []).map((job) => (
                  <li key={job}>
                    {job}{' '}
                    <button type="button" aria-label={`Remove ${job}`} onClick={() => void changeJob('DELETE', job)}>
                      Remove
                    </button>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
      <div class="row">
        <button type="button" onClick={() => setAdding(true)}>
          Add job
        </button>
      </div>
      <Events calendar={id} />
      {isAdding && (
        <FormDialog
          title="Add job"
          does="Add"
          run={(form) => changeJob('PUT', String(form.get('job')).trim())}
          onClose={() => setAdding(false)}
          onDone={() => undefined}
        >
          <TextField label="Job or group" name="job" isRequired isFirst />
        </FormDialog>
      )}
    </>
  );
}

function Events({ calendar }: { readonly calendar: string }) {
  const events = useCall(`${calendarPath(calendar)}/events?size=${LIST_MAX}`);
  const [isNew, setNew] = useState(false);
  const remove = async (event: string): Promise<void> => {
    const answer = await clusterCall('DELETE', `${calendarPath(calendar)}/events/${encodeURIComponent(event)}`);
    message.value = answer.status === 200 ? 'The event was deleted.' : reasonOf(answer);
    events.again();
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setNew(true)}>
          Add event
        </button>
      </div>
      <Loaded call={events}>
        {({ json }) => (
          <DataTable
            caption="Events"
            rows={((json ?? {}) as { readonly events?: readonly CalendarEvent[] }).events ?? []}
            keyOf={({ event_id: event }) => event}
            empty="The calendar has no event yet."
            columns={[
              { name: 'Event', show: ({ description }) => description, sort: ({ description }) => description },
              { name: 'From', show: ({ start_time: at }) => formatDateTime(at), sort: ({ start_time: at }) => at },
              { name: 'To', show: ({ end_time: at }) => formatDateTime(at), sort: ({ end_time: at }) => at },
              {
                name: 'Actions',
                show: ({ event_id: event, description }) => (
                  <button type="button" aria-label={`Delete ${description}`} onClick={() => void remove(event)}>
                    Delete
                  </button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {isNew && (
        <FormDialog
          title="Add event"
          does="Add"
          run={(form) => addEvent(calendar, form)}
          onClose={() => setNew(false)}
          onDone={events.again}
        >
          <TextField label="Description" name="description" isRequired isFirst />
          <TextField label="From" name="from" isRequired />
          <TextField label="To" name="to" isRequired />
        </FormDialog>
      )}
    </>
  );
}
