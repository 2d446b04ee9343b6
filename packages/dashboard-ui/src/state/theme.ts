import { signal } from '@preact/signals';

/** What the user chose: the system's theme, or one of ours. */
export type Theme = 'system' | 'light' | 'dark';
const KEY = 'shoal:theme';

function stored(): Theme {
  try {
    const value = window.localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

/** The theme that is shown. */
export const theme = signal<Theme>(stored());

/** Shows a theme and keeps it in this browser. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  showTheme();
  try {
    window.localStorage.setItem(KEY, chosen);
  } catch {
    // A browser without storage shows it until the page is left.
  }
}

/** Makes the page's colours those of the theme. */
export function showTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}
