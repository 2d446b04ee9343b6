import { useEffect, useState } from 'preact/hooks';
import { type Answer } from '../../request/own-call.js';
import { readObject, type SavedObject } from '../../request/saved-objects.js';
import { addressOf } from '../../state/router.js';
import { Failure } from '../../widgets/failure.js';
import { DashboardView } from './dashboard-view.js';
import { type Dashboard, EMPTY_DASHBOARD, readDashboard } from './panel.js';
import type { SavedVersion } from './save-dialog.js';

interface Opened {
  readonly dashboard: Dashboard;
  readonly saved: SavedVersion | null;
}

/** A dashboard by its id, or a new one. */
export function DashboardPage({ id }: { readonly id: string | null }) {
  const [opened, setOpened] = useState<Opened | null>(id === null ? { dashboard: EMPTY_DASHBOARD, saved: null } : null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (id === null) return;
    const abort = new AbortController();
    readObject('dashboard', id, abort.signal).then(
      (answer) => {
        setFailure(answer.status === 200 ? null : answer);
        if (answer.status !== 200) return;
        const saved = answer.json as SavedObject;
        setOpened({ dashboard: readDashboard(saved.attributes), saved });
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [looks]);
  return (
    <>
      <p>
        <a href={addressOf('/app/dashboards')}>Dashboards</a>
      </p>
      {opened !== null ? (
        <DashboardView first={opened.dashboard} firstSaved={opened.saved} />
      ) : (
        <h1 tabIndex={-1} aria-busy={failure === null}>
          Dashboard
        </h1>
      )}
      {failure !== null && (
        <Failure
          answer={failure}
          request={`GET /api/saved_objects/dashboard/${id}`}
          again={() => setLooks(looks + 1)}
        />
      )}
    </>
  );
}
