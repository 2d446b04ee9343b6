// The frame and the pages within.
import { render } from 'preact';
import { Frame } from '../shell/frame.js';
import { showTheme } from '../state/theme.js';

showTheme();
const root = document.getElementById('app')!;
root.replaceChildren();
render(<Frame />, root);
