import { place } from '../../state/router.js';
import { DashboardList } from './dashboard-list.js';
import { DashboardPage } from './dashboard-page.js';

/** The list of dashboards, a new one, or one by its id. */
export function Page() {
  const [, , , id = ''] = place.value.path.split('/');
  if (id === '') return <DashboardList />;
  return <DashboardPage key={id} id={id === 'new' ? null : decoded(id)} />;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
