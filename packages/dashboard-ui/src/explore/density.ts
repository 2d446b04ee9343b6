import { signal } from '@preact/signals';
import { storedText, storeText } from '../state/browser-storage.js';
import { DENSITIES, type Density } from './densities.js';

const stored = storedText('density') ?? '';

/** How high lines of documents are; kept in this browser. */
export const density = signal<Density>(Object.hasOwn(DENSITIES, stored) ? (stored as Density) : 'Normal');

/** Shows lines in another height. */
export function chooseDensity(chosen: Density): void {
  density.value = chosen;
  storeText('density', chosen === 'Normal' ? null : chosen);
}
