import { useEffect } from 'preact/hooks';
import { addressOf } from '../state/router.js';

/** What is shown for an address that is no page. */
export function NotFound() {
  useEffect(() => {
    document.title = 'Page not found · Shoal';
  }, []);
  return (
    <>
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        There is no page at this address. <a href={addressOf('/app/home')}>Home</a>
      </p>
    </>
  );
}
