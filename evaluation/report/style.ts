/** The whole look of the page: readable on a phone first, in a light and a dark room. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfb; --ink: #1c1c1a; --quiet: #62625c; --rule: #dededa; --mark: #2a6fc9; --reference: #8a8a83;
  --label-paper: #fdf0d5; --label-ink: #6b4300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161615; --ink: #ededea; --quiet: #a3a39c; --rule: #383835; --mark: #6ea8f0; --reference: #8f8f88;
    --label-paper: #3b2a08; --label-ink: #ffd996;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1080px; padding: 20px 16px 48px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.55rem; line-height: 1.2; margin: 0 0 8px; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 40px 0 4px; }
h3 { font-size: 1rem; margin: 24px 0 4px; }
p, dl, ul { max-width: 46rem; }
.quiet, caption, dt { color: var(--quiet); }
.label {
  background: var(--label-paper); color: var(--label-ink); border-radius: 6px; padding: 8px 12px; margin: 8px 0;
  font-weight: 600;
}
.pair { display: grid; gap: 12px 32px; align-items: start; }
.pair > * { min-width: 0; }
@media (min-width: 860px) { .pair { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); } }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
caption { text-align: left; padding: 4px 0; }
th, td { padding: 5px 14px 5px 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
th { font-weight: 500; }
thead th { color: var(--quiet); vertical-align: bottom; }
.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
thead .figure { white-space: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; }
dd { margin: 0; }
code { font-size: 0.9em; background: color-mix(in srgb, var(--ink) 8%, transparent); padding: 2px 5px; border-radius: 4px; }
svg { display: block; width: 100%; max-width: 520px; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .name { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg .tick { fill: var(--quiet); }
svg .grid { stroke: var(--rule); }
svg .bound { stroke: var(--quiet); stroke-dasharray: 3 3; }
svg .whisker { stroke: var(--mark); stroke-width: 2; stroke-linecap: round; }
svg .point { fill: var(--mark); stroke: var(--mark); stroke-width: 1.5; }
svg .open { fill: var(--paper); }
svg .reference { fill: var(--paper); stroke: var(--reference); stroke-width: 1.5; }
`;
