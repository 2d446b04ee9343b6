import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { save } from '../../request/download.js';
import { Failure } from '../../widgets/failure.js';
import { Menu } from '../../widgets/menu.js';
import { RequestDialog } from '../../widgets/request-dialog.js';
import type { Dashboard, Panel } from './panel.js';
import { type Choose, panelCsv } from './panel-data.js';
import { PanelPicture, PanelTable } from './panel-picture.js';
import { SavedSearchPanel, savedSearchRequest } from './saved-search-panel.js';
import { type PanelDoor, type PanelState, usePanel } from './use-panel.js';

/** What can be done with a panel besides looking at it. */
export interface PanelActs {
  readonly edit: () => void;
  readonly duplicate: () => void;
  readonly remove: () => void;
  readonly widen: () => void;
  /** Moves it by so many places. */
  readonly move: (by: number) => void;
  /** Puts the panel of an id before it. */
  readonly drop: (id: string) => void;
}

/** Props of a panel. */
interface PanelViewProps {
  readonly panel: Panel;
  readonly shared: Pick<Dashboard, 'text' | 'language' | 'filters' | 'range'>;
  readonly door: PanelDoor;
  readonly acts: PanelActs;
  readonly onChoose: Choose;
}

/** Whether an element has been in sight once. */
function useSight(element: { readonly current: HTMLElement | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}

const MOVES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** A panel: a region named by its title, with a menu. Its data are loaded when it comes into sight. */
export function PanelView({ panel, shared, door, acts, onChoose }: PanelViewProps) {
  const [isTable, setTable] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const [hasRequest, setRequest] = useState(false);
  const box = useRef<HTMLElement>(null);
  const isSeen = useSight(box);
  const hasData = panel.kind !== 'text' && panel.kind !== 'search';
  const state = usePanel(panel, shared, door, isSeen && hasData);
  const items = [
    ...(hasData ? [{ name: isTable ? 'Show as picture' : 'Show as table', act: () => setTable(!isTable) }] : []),
    { name: 'Edit', act: acts.edit },
    { name: 'Duplicate', act: acts.duplicate },
    { name: 'Move', act: () => setMoving(true) },
    { name: panel.isWide ? 'Make narrow' : 'Make wide', act: acts.widen },
    { name: 'Delete', act: acts.remove },
    ...(hasData ? [{ name: 'Download CSV', act: () => downloadCsv(panel, state), isOff: state.data === null }] : []),
    ...(panel.kind === 'text' ? [] : [{ name: 'Show request', act: () => setRequest(true) }]),
  ];
  return (
    <section
      ref={box}
      class={panel.isWide ? 'panel panel-wide' : 'panel'}
      aria-label={panel.title}
      aria-busy={hasData && state.isBusy}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => acts.drop(event.dataTransfer?.getData('text/plain') ?? '')}
    >
      <div class="panel-head" draggable onDragStart={(event) => event.dataTransfer?.setData('text/plain', panel.id)}>
        <h2>{panel.title}</h2>
        {isMoving && <MoveHandle title={panel.title} onMove={acts.move} onEnd={() => setMoving(false)} />}
        <Menu label={`Options of ${panel.title}`} shown="Options" items={items} />
      </div>
      <Content panel={panel} shared={shared} state={state} isTable={isTable} isSeen={isSeen} onChoose={onChoose} />
      {hasRequest && (
        <RequestDialog
          request={panel.kind === 'search' ? savedSearchRequest(panel) : state.request}
          onClose={() => setRequest(false)}
        />
      )}
    </section>
  );
}

function downloadCsv({ title }: Panel, { data }: PanelState): void {
  if (data === null) return;
  const name = `${title.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'panel'}.csv`;
  save(new Blob([panelCsv(data)], { type: 'text/csv' }), name);
}

/** Takes the arrow keys while a panel is moved; Enter and Escape end it. */
function MoveHandle({
  title,
  onMove,
  onEnd,
}: {
  readonly title: string;
  readonly onMove: (by: number) => void;
  readonly onEnd: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  // The panel's place in the page changes with each move, and the focus goes with it.
  useLayoutEffect(() => button.current?.focus());
  return (
    <button
      ref={button}
      type="button"
      aria-label={`Move ${title}: arrow keys move, Enter ends`}
      onKeyDown={(event) => {
        const by = MOVES[event.key];
        if (by === undefined && event.key !== 'Escape') return;
        event.preventDefault();
        if (by === undefined) onEnd();
        else onMove(by);
      }}
      onClick={onEnd}
    >
      ↔
    </button>
  );
}

/** Props of what a panel shows below its title. */
interface ContentProps extends Pick<PanelViewProps, 'panel' | 'shared' | 'onChoose'> {
  readonly state: PanelState & { readonly again: () => void };
  readonly isTable: boolean;
  readonly isSeen: boolean;
}

function Content({ panel, shared, state, isTable, isSeen, onChoose }: ContentProps) {
  const { data, before, failure, problem, isBusy } = state;
  if (panel.kind === 'text') return <p class="panel-text">{panel.text}</p>;
  if (panel.kind === 'search') return isSeen ? <SavedSearchPanel panel={panel} shared={shared} /> : <p>Loading</p>;
  if (problem !== null) return <p role="alert">{problem}</p>;
  if (failure !== null) return <Failure answer={failure.answer} request={failure.request} again={state.again} />;
  if (data === null) return isBusy ? <p>Loading</p> : null;
  return (
    <div class={isBusy ? 'old-data' : undefined}>
      {isTable ? (
        <PanelTable name={panel.title} data={data} onChoose={onChoose} />
      ) : (
        <PanelPicture panel={panel} data={data} before={before} onChoose={onChoose} />
      )}
    </div>
  );
}
