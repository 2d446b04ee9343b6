import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Filter } from '../../explore/filters.js';
import type { TimeRange } from '../../explore/time-range.js';
import { goTo, hold, place } from '../../state/router.js';
import { message } from '../../state/session.js';
import { useHold } from '../../state/use-hold.js';
import { readShared, type Shared, writeShared } from './dashboard-address.js';
import { createLoadQueue } from './load-queue.js';
import { type Dashboard, freeId, GOAL, movedPanel, type Panel, PANELS_MAX } from './panel.js';
import { PanelDialog } from './panel-dialog.js';
import { type PanelActs, PanelView } from './panel-view.js';
import { SaveDialog, type SavedVersion } from './save-dialog.js';
import { SharedForm } from './shared-form.js';
import { type Draft, useDraft } from './use-draft.js';
import { createFieldCache, type PanelDoor } from './use-panel.js';

/** Panels that are loaded at once. */
const LOADED_AT_ONCE = 4;

/** Props of a dashboard that was read. */
interface DashboardViewProps {
  readonly first: Dashboard;
  readonly firstSaved: SavedVersion | null;
}

const LOST = 'Changes of this dashboard are not saved: they are lost when you leave it.';

const NEW_PANEL: Omit<Panel, 'id'> = {
  title: '',
  kind: 'date_histogram',
  indices: '*',
  field: '',
  split: '',
  measure: { op: 'count', field: '' },
  goal: GOAL,
  search: '',
  text: '',
  isWide: false,
};

/** A dashboard: one range, query and filters over panels, which are changed in a draft until it is saved. */
export function DashboardView({ first, firstSaved }: DashboardViewProps) {
  const draft = useDraft(first);
  const [base, setBase] = useState({ dashboard: first, saved: firstSaved });
  const [dialog, setDialog] = useState<'save' | Panel | null>(null);
  const door = useMemo<PanelDoor>(() => ({ queue: createLoadQueue(LOADED_AT_ONCE), fieldsOf: createFieldCache() }), []);
  const { query, path } = place.value;
  const shared = readShared(query, base.dashboard);
  const isEdited = base.saved === null || query.get('edit') === 'true' || draft.isChanged;
  const go = (
    part: Partial<Shared> & { readonly timeZone?: string | null },
    edit = query.get('edit') === 'true',
    to = path,
    from: Shared = base.dashboard,
  ): void => {
    const next = writeShared({ ...shared, ...part }, from, edit);
    goTo(next.size === 0 ? to : `${to}?${next}`);
  };
  const { title, panels } = draft.value;
  useEffect(() => {
    document.title = `${title} · Shoal`;
  }, [title]);
  useUndoKey(draft);
  useHold(draft.isChanged ? LOST : null, (next) => next.path === path);
  const change: PanelsProps['onChange'] = (next) => draft.change((value) => ({ ...value, panels: next(value.panels) }));
  const onSaved = (dashboard: Dashboard, saved: SavedVersion): void => {
    setDialog(null);
    draft.reset(dashboard);
    // Nothing is lost with the address of a new dashboard.
    hold.value = null;
    setBase({ dashboard, saved });
    message.value = `The dashboard ${dashboard.title} was saved.`;
    go(dashboard, false, `/app/dashboards/${encodeURIComponent(saved.id)}`, dashboard);
  };
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <Ignored names={shared.ignored} />
      <EditRow
        isEdited={isEdited}
        draft={draft}
        onEdit={() => go({}, true)}
        onAdd={() => setDialog({ ...NEW_PANEL, indices: panels.at(-1)?.indices ?? '*', id: freeId(panels) })}
        onSave={() => setDialog('save')}
      />
      <SharedForm shared={shared} indices={panels[0]?.indices ?? '*'} door={door} onChange={(part) => go(part)} />
      <Panels panels={panels} shared={shared} door={door} onChange={change} onEdit={setDialog} onGo={go} />
      {dialog === 'save' && (
        <SaveDialog
          dashboard={{ ...draft.value, ...withoutIgnored(shared) }}
          saved={base.saved}
          onClose={() => setDialog(null)}
          onSaved={onSaved}
        />
      )}
      {dialog !== null && dialog !== 'save' && (
        <PanelDialog
          panel={dialog}
          isNew={!panels.some(({ id }) => id === dialog.id)}
          door={door}
          onClose={() => setDialog(null)}
          onDone={(panel) => {
            setDialog(null);
            const at = panels.findIndex(({ id }) => id === panel.id);
            change(() => (at < 0 ? [...panels, panel] : panels.with(at, panel)));
          }}
        />
      )}
    </>
  );
}

/** Parts of the address that say nothing. */
function Ignored({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p role="status" class="bar">
      Parts of the address cannot be read and are ignored: {names.join(', ')}.
    </p>
  );
}

const withoutIgnored = ({ text, language, filters, range }: Shared): Shared => ({ text, language, filters, range });

/** Control+Z takes the last change back, unless a text is typed. */
function useUndoKey({ undo, canUndo }: Draft<Dashboard>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = (event.target as Element | null)?.closest?.('input, textarea, select, dialog') != null;
      if (isTyping || !canUndo || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

/** Props of the buttons. */
interface EditRowProps {
  readonly isEdited: boolean;
  readonly draft: Draft<Dashboard>;
  readonly onEdit: () => void;
  readonly onAdd: () => void;
  readonly onSave: () => void;
}

function EditRow({ isEdited, draft, onEdit, onAdd, onSave }: EditRowProps) {
  if (!isEdited)
    return (
      <div class="row">
        <button type="button" onClick={onEdit}>
          Edit
        </button>
      </div>
    );
  return (
    <div class="row">
      <button type="button" disabled={draft.value.panels.length >= PANELS_MAX} onClick={onAdd}>
        Add panel
      </button>
      <button type="button" disabled={!draft.canUndo} onClick={draft.undo} aria-keyshortcuts="Control+Z Meta+Z">
        Undo
      </button>
      <button type="button" class="primary" onClick={onSave}>
        Save
      </button>
      {draft.isChanged && <span>Changes are not saved yet.</span>}
    </div>
  );
}

/** Props of the panels. */
interface PanelsProps {
  readonly panels: readonly Panel[];
  readonly shared: Shared;
  readonly door: PanelDoor;
  readonly onChange: (next: (panels: readonly Panel[]) => readonly Panel[]) => void;
  readonly onEdit: (panel: Panel) => void;
  readonly onGo: (part: Partial<Shared>) => void;
}

function Panels({ panels, shared, door, onChange, onEdit, onGo }: PanelsProps) {
  if (panels.length === 0) return <p>There are no panels yet: “Add panel” adds the first.</p>;
  const actsOf = (panel: Panel): PanelActs => ({
    edit: () => onEdit(panel),
    duplicate: () => onChange((all) => [...all, { ...panel, id: freeId(all), title: `${panel.title} (copy)` }]),
    remove: () => onChange((all) => all.filter(({ id }) => id !== panel.id)),
    widen: () => onChange((all) => all.map((one) => (one.id === panel.id ? { ...one, isWide: !one.isWide } : one))),
    move: (by) => onChange((all) => movedPanel(all, panel.id, by)),
    drop: (id) => {
      const places = panels.map((one) => one.id);
      const [from, to] = [places.indexOf(id), places.indexOf(panel.id)];
      if (from >= 0 && from !== to) onChange((all) => movedPanel(all, id, to - from));
    },
  });
  const choose = (filter: Filter | null, range: TimeRange | null): void =>
    onGo({
      ...(filter === null ? {} : { filters: [...shared.filters, filter] }),
      ...(range === null ? {} : { range }),
    });
  return (
    <div class="panels">
      {panels.map((panel) => (
        <PanelView
          key={panel.id}
          panel={panel}
          shared={withoutIgnored(shared)}
          door={door}
          acts={actsOf(panel)}
          onChoose={choose}
        />
      ))}
    </div>
  );
}
