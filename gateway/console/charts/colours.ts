/** A colour of the theme, for what is drawn on a canvas; everything else takes it from the style sheet. */
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
