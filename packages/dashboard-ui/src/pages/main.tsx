// The frame and the pages within.
import { render } from 'preact';
import { Frame } from '../shell/frame.js';
import { showTheme } from '../state/theme.js';
import { followZone } from '../state/time-zone.js';

showTheme();
followZone();
const root = document.getElementById('app')!;
root.replaceChildren();
render(<Frame />, root);
