import { place } from '../../state/router.js';
import { IndexList } from './index-list.js';
import { IndexView } from './index-view.js';

/** The list of indices, or one index. */
export function Page() {
  const [, , , name] = place.value.path.split('/');
  return name ? <IndexView key={name} index={decoded(name)} /> : <IndexList />;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
