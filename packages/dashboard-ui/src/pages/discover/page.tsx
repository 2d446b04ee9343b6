import { place } from '../../state/router.js';
import { AroundPage } from './around-page.js';
import { SearchPage } from './search-page.js';

/** Documents of any indices, or those around one. */
export function Page() {
  const [, , , part] = place.value.path.split('/');
  return part === 'around' ? <AroundPage key={place.value.query.toString()} /> : <SearchPage />;
}
