import { bench } from '@shoal/testing';
import { keepCells, shortGeohashCells } from './geo-cells.kernel.js';

const COUNT = 4096;
const lats = Float64Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x9e3779b1) / 2 ** 31) * 90);
const lons = Float64Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x85ebca6b) / 2 ** 31) * 180);
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const cells = new Float64Array(COUNT);
const [outDocs, outOwners] = [new Int32Array(COUNT), new Int32Array(COUNT)];
bench('geohash cells of 5 characters', COUNT, () => shortGeohashCells(lats, lons, COUNT, 5, cells));
bench('documents with a point', COUNT, () => void keepCells(docs, null, lats, cells, COUNT, outDocs, outOwners));
