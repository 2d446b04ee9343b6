import { useLayoutEffect } from 'preact/hooks';
import { hold, type Place } from './router.js';

/** Holds the place that is shown while `lost` tells what would be lost with it; null lets it go. */
export function useHold(lost: string | null, keeps: (place: Place) => boolean): void {
  useLayoutEffect(() => {
    if (lost === null) return;
    hold.value = { lost, keeps };
    return () => {
      hold.value = null;
    };
  }, [lost]);
}
