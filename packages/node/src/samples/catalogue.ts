import { accessLog } from './access-log.js';
import { cities } from './cities.js';
import { orders } from './orders.js';
import { recipes } from './recipes.js';
import type { SampleSet } from './sample-set.js';

/** All sample sets, in the order in which `shoal sample-data` loads them. */
export const SAMPLE_SETS: readonly SampleSet[] = [recipes, accessLog, orders, cities];
