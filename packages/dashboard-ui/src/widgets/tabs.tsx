import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { goTo, place } from '../state/router.js';

/** One tab. */
export interface Tab {
  /** Name in the address. */
  readonly id: string;
  readonly name: string;
  readonly show: () => ComponentChildren;
}

/** The tab that a key leads to from tab `at` of `count`; null if the key means nothing here. */
export function tabAfterKey(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Address of the present place with another tab; the first one is left out. */
export function withTab(path: string, query: URLSearchParams, tab: string, isFirst: boolean): string {
  const next = new URLSearchParams(query);
  if (isFirst) next.delete('tab');
  else next.set('tab', tab);
  return next.size === 0 ? path : `${path}?${next}`;
}

/** Props of tabs. */
interface TabSetProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly at: number;
  readonly choose: (at: number) => void;
}

/** Tabs whose choice is in the address. */
export function Tabs({ label, tabs }: Pick<TabSetProps, 'label' | 'tabs'>) {
  const { path, query } = place.value;
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === query.get('tab')),
  );
  const choose = (next: number): void => goTo(withTab(path, query, tabs[next]!.id, next === 0), true);
  return <TabSet label={label} tabs={tabs} at={at} choose={choose} />;
}

/** Tabs within a dialog: the choice goes with it. */
export function LocalTabs({ label, tabs }: Pick<TabSetProps, 'label' | 'tabs'>) {
  const [at, choose] = useState(0);
  return <TabSet label={label} tabs={tabs} at={at} choose={choose} />;
}

/** Tabs (WAI-ARIA): one tab stop, arrows move and choose. */
function TabSet({ label, tabs, at, choose }: TabSetProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const next = tabAfterKey(event.key, at, tabs.length);
    if (next === null) return;
    event.preventDefault();
    choose(next);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} class="tabs" onKeyDown={onKey}>
        {tabs.map(({ id: tab, name }, i) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-selected={i === at}
            aria-controls={`${id}-panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => choose(i)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]!.id}`} key={tabs[at]!.id}>
        {tabs[at]!.show()}
      </div>
    </>
  );
}
