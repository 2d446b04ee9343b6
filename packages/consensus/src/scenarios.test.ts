import { scenarios } from '@shoal/testing';
import { scriptedCluster } from './testing/scripted-cluster.js';

scenarios(new URL('../testdata/', import.meta.url), scriptedCluster);
