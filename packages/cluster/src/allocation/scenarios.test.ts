import { scenarios } from '@shoal/testing';
import { scriptedAllocation } from './testing/scripted-allocation.js';

scenarios(new URL('../../testdata/', import.meta.url), scriptedAllocation);
